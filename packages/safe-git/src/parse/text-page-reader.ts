import { createHash } from 'node:crypto';
import type { OutputReader } from '../command.ts';
import { textOf } from '../safe-text.ts';
import { shownHeader, shownText } from './patch-text.ts';

/** A file of a diff; the counts of lines are undefined for a binary file. */
export interface ChangedFile {
  readonly path: string;
  /** The former path of a renamed or copied file. */
  readonly from?: string;
  readonly added?: number;
  readonly deleted?: number;
}

export interface TextPage {
  readonly text: string;
  /** Undefined on the last page. */
  readonly nextCursor?: string;
  /** The changed files that this page lists with their counts, if they were requested. */
  readonly files?: readonly ChangedFile[];
  /** If the page starts in the middle of a file's diff, the header line of this file. */
  readonly within?: string;
}

/** Where a page starts. `digest` is the digest of the text before the page, by which a change is noticed. */
export interface PageStart {
  /** `files` if a page of a diff starts among the lines with the counts of each file. */
  readonly part: 'files' | 'text';
  /** What comes before the page: the number of bytes or, with `files`, the number of lines. */
  readonly offset: number;
  readonly digest: string;
}

/** By how many characters a page may exceed its size because of escapes. */
const maxEscapes = 1_024;

const header = Buffer.from('\ndiff --');
const hunk = Buffer.from('\n@@');

/** Makes git's text safe to print. `inHeader` tells whether it starts within the header lines of a file. */
export type Render = (text: string, at: { readonly inHeader: boolean }) => string;

/** Skips the earlier pages, keeps one page in memory, and then stops git. */
export class TextPageReader implements OutputReader<TextPage> {
  readonly #start: PageStart;
  readonly #size: number;
  readonly #render: Render;
  readonly #hash = createHash('sha1');
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #skipped = 0;
  #tail = Buffer.from('\n');
  #within: string | undefined;
  #inHeader = false;
  #changed = false;

  constructor(start: PageStart, size: number, render: Render = shownText) {
    this.#start = start;
    this.#size = size;
    this.#render = render;
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
    // One byte too many shows that there is another page.
    return this.#keptBytes <= this.#size;
  }

  result(): TextPage {
    if (this.#changed || this.#skipped < this.#start.offset) {
      throw staleCursorError();
    }
    const all = Buffer.concat(this.#kept);
    const within =
      this.#start.offset > 0 && !all.subarray(0, 7).equals(header.subarray(1)) ? this.#within : undefined;
    let end = all.length <= this.#size ? all.length : breakBefore(all, this.#size);
    let text = this.#shown(all.subarray(0, end));
    // An escape can be six times as long as its character, so fewer characters may fit on the page.
    while (text.length > this.#size + maxEscapes) {
      end = breakBefore(all, Math.ceil(end / 2));
      text = this.#shown(all.subarray(0, end));
    }
    const page = { text, ...(within !== undefined && { within }) };
    if (end === all.length) return page;
    this.#hash.update(all.subarray(0, end));
    return { ...page, nextCursor: `${this.#start.offset + end}.${this.#digest()}` };
  }

  #shown(page: Buffer): string {
    return this.#render(textOf(page), { inHeader: this.#inHeader });
  }

  #digest(): string {
    return this.#hash.copy().digest('base64url').slice(0, 10);
  }

  /**
   * Remembers the last file header. No line of content is taken for a header, because it begins with a sign
   * or a space.
   */
  #noteHeader(chunk: Buffer): void {
    const text = Buffer.concat([this.#tail, chunk]);
    const at = text.lastIndexOf(header);
    if (at !== -1) {
      const end = text.indexOf(10, at + 1);
      if (end !== -1) this.#within = shownHeader(textOf(text.subarray(at + 1, end)));
      this.#inHeader = true;
    }
    if (text.indexOf(hunk, Math.max(at, 0)) !== -1) this.#inHeader = false;
    // A header can continue in the next chunk, so the end of this chunk is kept.
    this.#tail = Buffer.from(
      text.subarray(Math.max(0, at === -1 ? text.length - 8_192 : at)).subarray(-8_192),
    );
  }
}

export function staleCursorError(): Error {
  return new Error(
    'Stale cursor: the text has changed since the previous page; start again without a cursor',
  );
}

/** Returns where a page ends: after a line or, within a very long line, between two characters. */
function breakBefore(bytes: Buffer, size: number): number {
  const line = bytes.lastIndexOf(10, size - 1);
  if (line > size / 2) return line + 1;
  let end = size;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80 && size - end < 4) end--;
  return end;
}
