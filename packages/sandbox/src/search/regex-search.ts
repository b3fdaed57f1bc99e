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

/** The maximum number of pieces per request to the worker, whose results all return in one message. */
const maxPieces = 500;

/** Finds lines by a regular expression; while the worker searches one buffer, the other is filled. */
export class RegexSearch implements AsyncDisposable {
  readonly #worker: RegexWorker;
  readonly #memory: readonly Buffer[];
  #filling = 0;
  #filled = 0;
  #pieces: Piece[] = [];
  #searching: Promise<void> = Promise.resolve();

  constructor(pattern: string, ignoreCase: boolean) {
    this.#worker = new RegexWorker(pattern, ignoreCase);
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

  /** Sends the filled buffer to the worker, after the worker has searched the other one. */
  async #send(): Promise<void> {
    await this.#searching;
    if (this.#pieces.length === 0) return;
    const pieces = this.#pieces;
    const request = {
      memory: this.#filling,
      pieces: pieces.flatMap(({ window: { bytes, from, to }, limits }) => {
        const start = bytes.byteOffset - this.#memory[0]!.byteOffset;
        return [start + from, start + to, limits.shown, limits.counted];
      }),
    };
    this.#searching = this.#worker.match(request).then((response) => {
      for (const [index, { window, found }] of pieces.entries()) {
        const [count = 0, ...pairs] = response[index] ?? [];
        found(window, matchesIn(window, pairs), count);
      }
    });
    this.#searching.catch(() => {});
    this.#pieces = [];
    this.#filling = 1 - this.#filling;
    this.#filled = 0;
  }
}

/**
 * Returns the offset in the original bytes for an offset in the bytes of the decoded text, in which three
 * bytes (U+FFFD) replace each invalid one.
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

/** Converts pairs of a line number, from 0, and an offset in that line to matches. */
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
