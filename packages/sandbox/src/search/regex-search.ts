import { isUtf8 } from 'node:buffer';
import { newline } from '../text/slice-lines.ts';
import { RegexWorker, memoryBytes } from './regex-worker.ts';
import type { FoundMatches, Match, MatchLimits } from './matching-lines.ts';
import type { Window } from './file-windows.ts';

interface Piece {
  readonly window: Window;
  readonly limits: MatchLimits;
  readonly found: FoundMatches;
}

/** Maximum pieces of text in one request to the worker; the results of all pieces return in one message. */
const maxPieces = 500;

/** Finds lines by a regular expression. While the worker searches one buffer, the other is filled. */
export class RegexSearch implements AsyncDisposable {
  readonly #worker: RegexWorker;
  readonly #memory: readonly Buffer[];
  readonly #isMultiline: boolean;
  #filling = 0;
  #filled = 0;
  #pieces: Piece[] = [];
  #searching: Promise<void> = Promise.resolve();

  constructor(pattern: string, ignoreCase: boolean, isMultiline = false) {
    this.#isMultiline = isMultiline;
    this.#worker = new RegexWorker(pattern, ignoreCase, isMultiline);
    this.#memory = this.#worker.memory.map((shared) => Buffer.from(shared));
  }

  search(window: Window, limits: MatchLimits, found: FoundMatches): void | Promise<void> {
    if (window.from === window.to) return;
    const fits = this.#filled + window.bytes.length <= memoryBytes && this.#pieces.length < maxPieces;
    if (fits) return this.#add(window, limits, found);
    return this.#send().then(() => this.#add(window, limits, found));
  }

  async rest(): Promise<void> {
    await this.#send();
    await this.#searching;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
  }

  #add(window: Window, limits: MatchLimits, found: FoundMatches): void {
    const start = this.#filled;
    this.#filled += window.bytes.copy(this.#memory[this.#filling]!, start);
    const bytes = this.#memory[this.#filling]!.subarray(start, this.#filled);
    this.#pieces.push({ window: { ...window, bytes }, limits, found });
  }

  /**
   * There are two buffers. Waits until the worker has searched the one, then sends the other, which is
   * filled.
   */
  async #send(): Promise<void> {
    await this.#searching;
    if (this.#pieces.length === 0) return;
    const pieces = this.#pieces;
    const request = {
      memory: this.#filling,
      pieces: pieces.flatMap(({ window: { bytes, from, to }, limits }) => {
        const start = bytes.byteOffset - this.#memory[0]!.byteOffset;
        const range = this.#isMultiline ? [start, start + bytes.length] : [start + from, start + to];
        return [...range, limits.shown, limits.counted];
      }),
    };
    this.#searching = this.#worker.match(request).then((response) => {
      for (const [index, piece] of pieces.entries()) {
        const [count = 0, ...pairs] = response[index] ?? [];
        if (this.#isMultiline) reportSpanned(piece, pairs);
        else piece.found(piece.window, matchesIn(piece.window, pairs), count);
      }
    });
    this.#searching.catch(() => {});
    this.#pieces = [];
    this.#filling = 1 - this.#filling;
    this.#filled = 0;
  }
}

/**
 * Converts an offset in the decoded text, in UTF-8 bytes, to an offset in the original bytes. They differ if
 * the original has invalid bytes: the decoded text has three bytes (U+FFFD) in place of each.
 */
function originalOffset(bytes: Buffer, decoded: number): number {
  if (isUtf8(bytes.subarray(0, decoded))) return decoded;
  let [low, high] = [0, decoded];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.byteLength(bytes.toString('utf8', 0, middle)) < decoded) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Reports the lines that the matches span. Matches are found in all bytes of the window, but only the lines
 * between its `from` and `to` are reported.
 */
function reportSpanned({ window, limits, found }: Piece, pairs: readonly number[]): void {
  const { from, to } = window;
  const lines = matchesIn({ ...window, from: 0 }, pairs).filter(({ line }) => line >= from && line < to);
  found(window, lines.slice(0, limits.shown), Math.min(lines.length, limits.counted));
}

/** Converts pairs of numbers to matches: a line number from 0, and an offset in that line. */
function matchesIn({ bytes, from }: Window, pairs: readonly number[]): Match[] {
  const matches: Match[] = [];
  let line = from;
  let number = 0;
  for (let index = 0; index < pairs.length; index += 2) {
    for (; number < pairs[index]!; number++) line = bytes.indexOf(newline, line) + 1;
    matches.push({ line, at: line + originalOffset(bytes.subarray(line), pairs[index + 1]!) });
  }
  return matches;
}
