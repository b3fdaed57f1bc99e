import { isUtf8 } from 'node:buffer';
import { ExpressionWorker, memoryBytes } from './regex-worker.ts';
import type { Hit } from './matching-lines.ts';
import type { Window } from './file-windows.ts';

interface Piece {
  readonly window: Window;
  readonly found: (window: Window, hits: readonly Hit[]) => void;
}

const newline = 0x0a;
/** At most so many pieces at once, however short: their answers come all together. */
const mostPieces = 500;

/** Finds the lines that match a regular expression: one half of its memory is filled while the other is searched. */
export class ExpressionFinder implements AsyncDisposable {
  readonly #worker: ExpressionWorker;
  readonly #memory: readonly Buffer[];
  #filling = 0;
  #filled = 0;
  #pieces: Piece[] = [];
  #limit = () => 1;
  #searching: Promise<void> = Promise.resolve();

  constructor(pattern: string, ignoreCase: boolean) {
    this.#worker = new ExpressionWorker(pattern, ignoreCase);
    this.#memory = this.#worker.memory.map((shared) => Buffer.from(shared));
  }

  look(window: Window, limit: () => number, found: Piece['found']): void | Promise<void> {
    this.#limit = limit;
    if (window.from === window.to) return;
    const fits = this.#filled + window.bytes.length <= memoryBytes && this.#pieces.length < mostPieces;
    if (fits) return this.#add(window, found);
    return this.#send().then(() => this.#add(window, found));
  }

  async rest(): Promise<void> {
    await this.#send();
    await this.#searching;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
  }

  #add(window: Window, found: Piece['found']): void {
    const start = this.#filled;
    this.#filled += window.bytes.copy(this.#memory[this.#filling]!, start);
    const bytes = this.#memory[this.#filling]!.subarray(start, this.#filled);
    this.#pieces.push({ window: { ...window, bytes }, found });
  }

  /** Has the memory searched that is filled, once the other one has been. */
  async #send(): Promise<void> {
    await this.#searching;
    if (this.#pieces.length === 0) return;
    const pieces = this.#pieces;
    const request = {
      memory: this.#filling,
      pieces: pieces.flatMap(({ window: { bytes, from, to } }) => {
        const start = bytes.byteOffset - this.#memory[0]!.byteOffset;
        return [start + from, start + to];
      }),
      limit: this.#limit(),
    };
    this.#searching = this.#worker.match(request).then((response) => {
      for (const [index, { window, found }] of pieces.entries())
        found(window, hitsIn(window, response[index] ?? []));
    });
    this.#searching.catch(() => {});
    this.#pieces = [];
    this.#filling = 1 - this.#filling;
    this.#filled = 0;
  }
}

/** How many bytes became so many of text, in which each that is not UTF-8 has become three. */
function bytesOf(bytes: Buffer, decoded: number): number {
  if (isUtf8(bytes.subarray(0, decoded))) return decoded;
  let [low, high] = [0, decoded];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.byteLength(bytes.toString('utf8', 0, middle)) < decoded) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Hits by their bytes, of pairs of a line, counted from 0, and a byte in it. */
function hitsIn({ bytes, from }: Window, pairs: readonly number[]): Hit[] {
  const hits: Hit[] = [];
  let line = from;
  let number = 0;
  for (let index = 0; index < pairs.length; index += 2) {
    for (; number < pairs[index]!; number++) line = bytes.indexOf(newline, line) + 1;
    hits.push({ line, at: line + bytesOf(bytes.subarray(line), pairs[index + 1]!) });
  }
  return hits;
}
