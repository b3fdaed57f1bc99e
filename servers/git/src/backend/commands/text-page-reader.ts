import { createHash } from 'node:crypto';
import type { OutputReader } from '../command.ts';
import { textOf } from '../display-name.ts';

/** A page of a long text. */
export interface TextPage {
  readonly text: string;
  /** Undefined on the last page. */
  readonly nextCursor?: string;
  /** Of a diff, the header of the file in the middle of which the page starts. */
  readonly within?: string;
}

/** Where a page starts, and a digest of the text before it. */
export interface PageStart {
  readonly offset: number;
  readonly digest: string;
}

const header = Buffer.from('\ndiff --git ');

/** Skips the earlier pages, keeps one page, and then stops git. */
export class TextPageReader implements OutputReader<TextPage> {
  readonly #start: PageStart;
  readonly #size: number;
  readonly #hash = createHash('sha1');
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #skipped = 0;
  #tail = Buffer.alloc(0);
  #within: string | undefined;
  #changed = false;

  constructor(start: PageStart, size: number) {
    this.#start = start;
    this.#size = size;
  }

  push(chunk: Buffer): boolean {
    let rest = chunk;
    if (this.#skipped < this.#start.offset) {
      const over = chunk.subarray(0, this.#start.offset - this.#skipped);
      rest = chunk.subarray(over.length);
      this.#skipped += over.length;
      this.#hash.update(over);
      this.#noteHeader(over);
    }
    if (
      this.#skipped === this.#start.offset &&
      this.#start.offset > 0 &&
      this.#keptBytes === 0 &&
      rest.length > 0
    ) {
      this.#changed = this.#digest() !== this.#start.digest;
      if (this.#changed) return false;
    }
    if (rest.length > 0) this.#kept.push(rest);
    this.#keptBytes += rest.length;
    // One byte more than a page shows that there is another.
    return this.#keptBytes <= this.#size;
  }

  result(): TextPage {
    if (this.#changed || this.#skipped < this.#start.offset) {
      throw new Error(
        'Stale cursor: the text has changed since the previous page; start again without a cursor',
      );
    }
    const all = Buffer.concat(this.#kept);
    const within =
      this.#start.offset > 0 && !all.subarray(0, 11).equals(header.subarray(1)) ? this.#within : undefined;
    if (all.length <= this.#size) return { text: textOf(all), ...(within !== undefined && { within }) };
    const end = breakBefore(all, this.#size);
    const page = all.subarray(0, end);
    this.#hash.update(page);
    const nextCursor = `${this.#start.offset + end}.${this.#digest()}`;
    return { text: textOf(page), nextCursor, ...(within !== undefined && { within }) };
  }

  #digest(): string {
    return this.#hash.copy().digest('base64url').slice(0, 10);
  }

  /**
   * Remembers the last file header; the lines of a file start with a sign, so that none can be taken for a
   * header.
   */
  #noteHeader(chunk: Buffer): void {
    const text = Buffer.concat([this.#tail, chunk]);
    const at = text.lastIndexOf(header);
    if (at !== -1) {
      const end = text.indexOf(10, at + 1);
      if (end !== -1) this.#within = textOf(text.subarray(at + 1, end));
    }
    // A header can span two chunks.
    this.#tail = Buffer.from(
      text.subarray(Math.max(0, at === -1 ? text.length - 8_192 : at)).subarray(-8_192),
    );
  }
}

/** Where a page ends: after a line, or between two characters of a very long one. */
function breakBefore(bytes: Buffer, size: number): number {
  const line = bytes.lastIndexOf(10, size - 1);
  if (line > size / 2) return line + 1;
  let end = size;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80 && size - end < 4) end--;
  return end;
}
