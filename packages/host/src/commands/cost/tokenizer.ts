import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/** Text that looks like a special token, such as `<|endoftext|>`, is counted as the text that it is. */
const asText = { disallowedSpecial: new Set<string>() };

/**
 * Runs of characters that the tokenizer takes as one word. Its time grows with the square of the length of a
 * word, so that longer runs are counted in parts, each of which may add a token.
 */
const longRun = /[\p{L}\p{M}\p{N}]{256}|\s{256}|[^\p{L}\p{M}\p{N}\s]{256}/gu;

/** The tokens of a text in `o200k_base`, the encoding of OpenAI's models since GPT-4o. */
export function countTokens(text: string): number {
  let total = 0;
  let at = 0;
  for (const { index, 0: run } of text.matchAll(longRun)) {
    const end = index + run.length;
    total += count(text.slice(at, end), asText);
    at = end;
  }
  return total + count(text.slice(at), asText);
}
