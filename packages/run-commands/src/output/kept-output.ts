import { plainLines } from './plain-text.ts';

/** How many bytes are kept of the beginning of an output. */
export const headBytes = 512 * 1024;
/** How many bytes are kept of the end of an output, at least. */
export const tailBytes = 1_536 * 1024;
const blockBytes = 64 * 1024;

/** Consecutive lines of an output, as plain text. `first` is the number of the first of them, from 1. */
export interface Passage {
  readonly first: number;
  readonly lines: readonly string[];
}

/** An output of any length. Only its beginning and its end are kept. */
export class KeptOutput {
  readonly #head = new Blocks();
  readonly #tail = new Blocks();
  /** The number of line feeds in the bytes that were dropped. */
  #droppedLines = 0;
  #length = 0;
  #lineFeeds = 0;
  #last = 0x0a;

  append(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#length += chunk.length;
    this.#lineFeeds += lineFeeds(chunk);
    this.#last = chunk.at(-1)!;
    const rest = Math.max(0, headBytes - this.#head.length);
    this.#head.append(chunk.subarray(0, rest));
    this.#tail.append(chunk.subarray(rest));
    while (this.#tail.length - this.#tail.firstLength >= tailBytes)
      this.#droppedLines += this.#tail.dropFirst();
  }

  /** The number of all bytes, including those that were dropped. */
  get bytes(): number {
    return this.#length;
  }

  /** The number of all lines, including those that were dropped. The last line may have no line feed. */
  get lines(): number {
    return this.#lineFeeds + (this.#last === 0x0a ? 0 : 1);
  }

  get droppedBytes(): number {
    return this.#length - this.#head.length - this.#tail.length;
  }

  /** The bytes that are kept. If bytes were dropped, they are missing in the middle. */
  get kept(): Buffer {
    return Buffer.concat([this.#head.bytes, this.#tail.bytes]);
  }

  /** Returns the kept lines: one passage or, if bytes were dropped, two, the beginning and the end. */
  passages(): Passage[] {
    if (this.droppedBytes === 0) return [{ first: 1, lines: plainLines(this.kept) }];
    const head = this.#head.bytes;
    return [
      { first: 1, lines: plainLines(head) },
      { first: lineFeeds(head) + this.#droppedLines + 1, lines: plainLines(this.#tail.bytes) },
    ];
  }
}

/** Bytes in blocks of a fixed size, so that many small chunks need no more memory than a few large ones. */
class Blocks {
  readonly #blocks: { readonly buffer: Buffer; length: number }[] = [];
  #length = 0;

  append(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      let last = this.#blocks.at(-1);
      if (!last || last.length === blockBytes) {
        last = { buffer: Buffer.allocUnsafe(blockBytes), length: 0 };
        this.#blocks.push(last);
      }
      const copied = chunk.copy(last.buffer, last.length, at);
      last.length += copied;
      this.#length += copied;
      at += copied;
    }
  }

  get length(): number {
    return this.#length;
  }

  get firstLength(): number {
    return this.#blocks[0]?.length ?? 0;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#blocks.map(({ buffer, length }) => buffer.subarray(0, length)));
  }

  /** Drops the first block, and returns the number of line feeds in it. */
  dropFirst(): number {
    const dropped = this.#blocks.shift();
    if (!dropped) return 0;
    this.#length -= dropped.length;
    return lineFeeds(dropped.buffer.subarray(0, dropped.length));
  }
}

function lineFeeds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) count++;
  return count;
}
