import { createContext, Script } from 'node:vm';

/** The indexes of the texts that match a pattern, as far as they were found. */
export interface Matching {
  readonly found: readonly number[];
  /** Whether the time was long enough for all texts. */
  readonly isComplete: boolean;
}

const script = new Script(
  '((pattern, texts, found) => { for (let i = 0; i < texts.length; i++) if (pattern.test(texts[i])) found.push(i); })(pattern, texts, found)',
);

/**
 * Searches texts for a pattern for at most `timeout` milliseconds: a pattern with one repetition in another,
 * such as `^(\w+/?)+$`, would take years for some texts of a hundred characters.
 */
export function matchingTexts(pattern: RegExp, texts: readonly string[], timeout: number): Matching {
  const found: number[] = [];
  try {
    script.runInContext(createContext({ pattern, texts, found }), { timeout });
    return { found, isComplete: true };
  } catch {
    return { found, isComplete: false };
  }
}
