import { createHash } from 'node:crypto';
import type { OutputReader } from '../command.ts';
import { listedPath, textOf } from '../display-name.ts';
import { shownPatch } from './patch-text.ts';
import { staleCursorError, TextPageReader, type PageStart, type TextPage } from './text-page-reader.ts';

/** Minimum size of a patch that follows the last lines per file. */
const minPatchBytes = 4 * 1024;

/**
 * Reads the output of `--numstat -z`, and of `--patch` if that follows. A page has the lines per file,
 * their count, and the beginning of the patch; with many files, only the first of the lines.
 */
export class DiffPageReader implements OutputReader<TextPage> {
  readonly #start: PageStart;
  readonly #size: number;
  readonly #hash = createHash('sha1');
  readonly #lines: string[] = [];
  #bytes: number;
  #files = 0;
  /** The digest of the files before the page. */
  #digestBefore = '';
  #nextCursor: string | undefined;
  /** The output after the last whole record. */
  #rest: Buffer = Buffer.alloc(0);
  #patch: TextPageReader | undefined;

  /** `used` is the number of bytes on the first page that other text takes. */
  constructor(start: PageStart, size: number, used = 0) {
    this.#start = start;
    this.#size = size;
    this.#bytes = start.offset === 0 ? used : 0;
  }

  push(chunk: Buffer): boolean {
    if (this.#patch) return this.#patch.push(chunk);
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (at < bytes.length) {
      if (!isCount(bytes[at]!)) return this.#startPatch(bytes.subarray(at));
      const end = recordEnd(bytes, at);
      if (end === -1) break;
      if (!this.#add(bytes.subarray(at, end))) return false;
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return true;
  }

  result(): TextPage {
    const { part, offset, digest } = this.#start;
    if (part === 'files' && offset > 0 && (this.#files < offset || this.#digestBefore !== digest))
      throw staleCursorError();
    if (this.#nextCursor !== undefined) return { text: this.#lines.join(''), nextCursor: this.#nextCursor };
    const patch = this.#patch?.result();
    if (part === 'text') return patch ?? { text: '' };
    const count = this.#files === 0 ? '' : `${this.#files} ${this.#files === 1 ? 'file' : 'files'}\n`;
    const files = `${this.#lines.join('')}${count}`;
    return {
      ...patch,
      text: patch && files !== '' ? `${files}\n${patch.text}` : files + (patch?.text ?? ''),
    };
  }

  /** Adds a file. Returns false if it is on the next page. */
  #add(record: Buffer): boolean {
    if (this.#start.part === 'text') return true;
    if (this.#files < this.#start.offset) {
      this.#files++;
      this.#hash.update(record);
      if (this.#files === this.#start.offset) this.#digestBefore = this.#digest();
      return true;
    }
    const line = fileLine(record);
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes > this.#size && this.#lines.length > 0) {
      this.#nextCursor = `f${this.#files}.${this.#digest()}`;
      return false;
    }
    this.#files++;
    this.#hash.update(record);
    this.#lines.push(line);
    return true;
  }

  #startPatch(bytes: Buffer): boolean {
    const start = this.#start.part === 'text' ? this.#start : { ...this.#start, offset: 0, digest: '' };
    const size = start.offset > 0 ? this.#size : Math.max(this.#size - this.#bytes, minPatchBytes);
    this.#patch = new TextPageReader(start, size, shownPatch);
    // A NUL separates the patch.
    return this.#patch.push(bytes[0] === 0 ? bytes.subarray(1) : bytes);
  }

  #digest(): string {
    return this.#hash.copy().digest('base64url').slice(0, 10);
  }
}

/** Whether a record starts with a byte: with a number or, of a binary file, a hyphen. */
function isCount(byte: number): boolean {
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
}

/** The end of a record; -1 if it is not complete. A renamed file has two more fields. */
function recordEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start) + 1;
  if (end === 0 || bytes[end - 2] !== 0x09) return end === 0 ? -1 : end;
  const from = bytes.indexOf(0, end) + 1;
  const to = from === 0 ? 0 : bytes.indexOf(0, from) + 1;
  return to === 0 ? -1 : to;
}

function fileLine(record: Buffer): string {
  const [first = '', from, to] = textOf(record).split('\0');
  const [, counts = '', path = ''] = /^([^\t]*\t[^\t]*\t)([^]*)$/.exec(first) ?? [];
  return path === '' && from !== undefined && to !== undefined
    ? `${counts}${listedPath(from)} -> ${listedPath(to)}\n`
    : `${counts}${listedPath(path)}\n`;
}
