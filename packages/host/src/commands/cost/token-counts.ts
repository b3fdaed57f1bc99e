import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { estimateTokens } from '../../doctor/estimate-tokens.ts';
import { JsonDirectory } from '../../json-directory.ts';
import type { Counting } from './counting.ts';
import type { Definition } from './definitions.ts';
import { loadTokenizer } from './load-tokenizer.ts';

/** Maximum number of lists whose counts are kept. */
const maxEntries = 1_000;

export interface Counts {
  readonly counting: Counting;
  /** The tokens of each definition, in their order. */
  readonly tokens: readonly number[];
}

/**
 * Counts the tokens of lists of definitions. The counts are kept in files, by the content of the list, so
 * that the tokenizer is loaded only for a list that is new or has changed.
 */
export class TokenCounts {
  readonly #kept: JsonDirectory<readonly number[]>;
  #tokenizer: ReturnType<typeof loadTokenizer> | 'not loaded' = 'not loaded';

  constructor(cacheDirectory: string, warn: (message: string) => void) {
    this.#kept = new JsonDirectory(join(cacheDirectory, 'tokens'), { isValid: isCounts, warn, maxEntries });
  }

  /** Counts with the tokenizer; estimates if its file is missing. */
  count(definitions: readonly Definition[]): Counts {
    const kept = this.#keptOf(definitions);
    if (kept) return kept;
    if (this.#tokenizer === 'not loaded') this.#tokenizer = loadTokenizer();
    const tokenizer = this.#tokenizer;
    if (!tokenizer) return estimatedCounts(definitions);
    const tokens = definitions.map(({ text }) => tokenizer(text));
    this.#kept.set(keyOf(definitions), tokens);
    return { counting: 'o200k_base', tokens };
  }

  /** The counts that are kept, or else an estimate: loads no tokenizer. */
  keptOrEstimated(definitions: readonly Definition[]): Counts {
    return this.#keptOf(definitions) ?? estimatedCounts(definitions);
  }

  #keptOf(definitions: readonly Definition[]): Counts | undefined {
    if (definitions.length === 0) return { counting: 'o200k_base', tokens: [] };
    const tokens = this.#kept.get(keyOf(definitions));
    return tokens?.length === definitions.length ? { counting: 'o200k_base', tokens } : undefined;
  }
}

/** A quarter of the bytes of each definition. */
export function estimatedCounts(definitions: readonly Definition[]): Counts {
  return { counting: 'bytes', tokens: definitions.map(({ text }) => estimateTokens(text)) };
}

function keyOf(definitions: readonly Definition[]): string {
  const hash = createHash('sha256');
  for (const { text } of definitions) hash.update(text).update('\n');
  return `o200k_base ${hash.digest('hex')}`;
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0);
}
