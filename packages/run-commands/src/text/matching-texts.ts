import { createContext, Script } from 'node:vm';

/** The indexes of the texts that match a pattern. Some may be missing if the search took too long. */
export interface Matching {
  readonly found: readonly number[];
  /** Whether all texts were searched within the time limit. */
  readonly isComplete: boolean;
}

let script: Script | undefined;
const source =
  '((pattern, texts, found) => { for (let i = 0; i < texts.length; i++) if (pattern.test(texts[i])) found.push(i); })(pattern, texts, found)';

/**
 * Tests which texts match a pattern. Stops after `timeout` ms, because a pattern with nested repetitions,
 * such as `^(\w+/?)+$`, could take years.
 */
export function matchingTexts(pattern: RegExp, texts: readonly string[], timeout: number): Matching {
  const found: number[] = [];
  try {
    script ??= new Script(source);
    script.runInContext(createContext({ pattern, texts, found }), { timeout });
    return { found, isComplete: true };
  } catch {
    return { found, isComplete: false };
  }
}
