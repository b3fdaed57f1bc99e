import { usageError } from '../errors.ts';

/** The words of a line, and whether the last one is complete. */
export interface SplitLine {
  readonly words: readonly string[];
  /** Whether the line ends within a word, so that the last one is still being typed. */
  readonly isOpen: boolean;
  /** The quote that is not closed, if any. */
  readonly quote: string | undefined;
}

/** Splits a line into words as POSIX shells do, without expanding variables and patterns. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === quote) {
      quote = undefined;
    } else if (character === '\\' && quote !== "'" && isEscape(line[at + 1], quote)) {
      word = (word ?? '') + line[++at]!;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return { words, isOpen: word !== undefined, quote };
}

/** Whether a backslash escapes the character `next`. Within double quotes, it escapes only `"` and `\`. */
function isEscape(next: string | undefined, quote: string | undefined): boolean {
  return next !== undefined && (quote === undefined || next === '"' || next === '\\');
}

/** The words of a complete line. Throws a `HostError` where a quote is not closed. */
export function splitWords(line: string): readonly string[] {
  const { words, quote } = splitLine(line);
  if (quote !== undefined) throw usageError(`A quote is not closed: ${quote}`);
  return words;
}
