import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as tokenizer from './tokenizer.ts';

type Tokenizer = typeof tokenizer;

/**
 * The program file of the tokenizer, beside the sources or the bundle. It is a file of its own, because its
 * 2.7 MB would slow the start of every command.
 */
const file = import.meta.dirname
  ? join(import.meta.dirname, 'tokenizer.ts')
  : join(__dirname, 'tokenizer.cjs');

/** Loads the tokenizer, which takes about 0.3 seconds. Returns undefined if its file is not there. */
export function loadTokenizer(): ((text: string) => number) | undefined {
  try {
    const { countTokens } = createRequire(file)(file) as Tokenizer;
    return countTokens;
  } catch {
    return undefined;
  }
}
