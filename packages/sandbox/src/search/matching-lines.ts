import { newline } from '../text/slice-lines.ts';
import type { Window } from './file-windows.ts';

/** A line of the result: a matching line, or context. */
export interface ShownLine {
  readonly number: number;
  /** The text without its line break; of a line with more than 400 bytes, only the part around the match. */
  readonly text: string;
  matches: boolean;
}

/**
 * The offsets of a match in the bytes of a window: `line` is where the line starts, `at` where the match
 * starts.
 */
export interface Match {
  readonly line: number;
  readonly at: number;
}

/** Maximum numbers of matching lines in one window (a part of a file): to return, and to count. */
export interface MatchLimits {
  readonly shown: number;
  readonly counted: number;
}

/** Called with the first matches of a window (a part of a file), and with the number of all its matches. */
export type FoundMatches = (window: Window, matches: readonly Match[], count: number) => void;

const maxLineLength = 400;
const leadLength = 100;

export interface MatchingLinesOptions {
  /** The number of context lines before and after each match. */
  readonly context: number;
  /** Maximum number of matching lines to show. The result also ends after `maxLength` characters. */
  readonly limit: number;
  readonly maxLength: number;
}

/** The lines of one file that are in the result: matching lines and context, in the order of the file. */
export class MatchingLines {
  readonly lines: ShownLine[] = [];
  /** The number of matching lines that are shown. */
  matching = 0;
  /** The number of characters of `lines`. */
  length = 0;
  /** The number of matches that are not shown. */
  hidden = 0;
  readonly #options: MatchingLinesOptions;

  constructor(options: MatchingLinesOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.matching >= this.#options.limit || this.length > this.#options.maxLength;
  }

  /** Adds the matches of a window, in their order. */
  add({ bytes, firstLine }: Window, matches: readonly Match[]): void {
    let number = firstLine;
    let counted = 0;
    for (const [index, { line, at }] of matches.entries()) {
      if (this.isFull) {
        this.hidden += matches.length - index;
        return;
      }
      for (let next = bytes.indexOf(newline, counted); next >= 0 && next < line;) {
        number++;
        counted = next + 1;
        next = bytes.indexOf(newline, counted);
      }
      this.length += this.#before(bytes, line, number);
      this.length += this.#show(bytes, line, number, at);
      this.length += this.#after(bytes, line, number);
    }
  }

  /** Returns the first lines: at most `limit` matching lines, each with its context. */
  first(limit: number): readonly ShownLine[] {
    if (this.matching <= limit) return this.lines;
    let matching = 0;
    const next = this.lines.findIndex(({ matches }) => matches && ++matching > limit);
    let end = next;
    while (end > 0 && !this.lines[end - 1]!.matches) end--;
    const last = this.lines[end - 1]?.number ?? 0;
    while (end < next && this.lines[end]!.number <= last + this.#options.context) end++;
    return this.lines.slice(0, end);
  }

  #before(bytes: Buffer, line: number, number: number): number {
    const starts: number[] = [];
    const room = Math.min(this.#options.context, number - (this.lines.at(-1)?.number ?? 0) - 1);
    for (let at = line; at > 0 && starts.length < room;) {
      at = at < 2 ? 0 : bytes.lastIndexOf(newline, at - 2) + 1;
      starts.unshift(at);
    }
    return starts.reduce(
      (sum, start, index) => sum + this.#push(bytes, start, number - starts.length + index),
      0,
    );
  }

  #show(bytes: Buffer, line: number, number: number, at: number): number {
    const last = this.lines.at(-1);
    if (!last || last.number < number) {
      this.matching++;
      return this.#push(bytes, line, number, at);
    }
    const shown = this.lines[this.lines.length - 1 - (last.number - number)];
    if (shown && !shown.matches) {
      shown.matches = true;
      this.matching++;
    }
    return 0;
  }

  #after(bytes: Buffer, line: number, number: number): number {
    let size = 0;
    let at = line;
    for (let count = 1; count <= this.#options.context; count++) {
      const end = bytes.indexOf(newline, at);
      if (end < 0 || end + 1 >= bytes.length) break;
      at = end + 1;
      if (number + count > (this.lines.at(-1)?.number ?? 0)) size += this.#push(bytes, at, number + count);
    }
    return size;
  }

  #push(bytes: Buffer, start: number, number: number, at?: number): number {
    const text = lineText(bytes, start, at ?? start);
    this.lines.push({ number, text, matches: at !== undefined });
    return text.length;
  }
}

/** Returns the text of a line; of a long line, only the part around a match. */
function lineText(bytes: Buffer, start: number, at: number): string {
  const lineBreak = bytes.indexOf(newline, start);
  let end = lineBreak < 0 ? bytes.length : lineBreak;
  if (bytes[end - 1] === 0x0d && end > start) end--;
  if (end - start <= maxLineLength) return bytes.toString('utf8', start, end);
  const from = at - start > maxLineLength - leadLength ? at - leadLength : start;
  const to = Math.min(end, from + maxLineLength);
  return `${from > start ? '…' : ''}${trimCutCharacters(bytes.toString('utf8', from, to))}${to < end ? '…' : ''}`;
}

/** Removes the replacement characters (U+FFFD) that a cut inside a character leaves at the ends of a text. */
function trimCutCharacters(text: string): string {
  return text.replace(/^\ufffd{1,3}|\ufffd{1,3}$/g, '');
}
