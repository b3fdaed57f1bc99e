import { createHash } from 'node:crypto';
import type { OutputReader } from '../command.ts';
import { listedPath, textOf } from '../safe-text.ts';
import { shownPatch } from './patch-text.ts';
import {
  type ChangedFile,
  staleCursorError,
  TextPageReader,
  type PageStart,
  type TextPage,
} from './text-page-reader.ts';

/**
 * On the page on which the list of files ends, patches get at least this many bytes, even if the page then
 * exceeds its size.
 */
const minPatchBytes = 4 * 1024;

/**
 * Reads the output of `--numstat -z` and `--patch`. Git prints the patches of conflicts before the counts,
 * but the pages start with one line of counts for each file; the number of files and all patches follow.
 */
export class DiffPageReader implements OutputReader<TextPage> {
  readonly #start: PageStart;
  readonly #size: number;
  readonly #hash = createHash('sha1');
  readonly #lines: string[] = [];
  /** The files of `#lines` as objects, if they were requested. */
  readonly #rows: ChangedFile[] | undefined;
  #bytes: number;
  #files = 0;
  /** The digest of the files on earlier pages, by which a changed diff is noticed. */
  #digestBefore = '';
  #nextCursor: string | undefined;
  /** The bytes after the last complete record. */
  #rest: Buffer = Buffer.alloc(0);
  #patch: TextPageReader | undefined;
  /** The patches of conflicts. Only a little more than fits on a page is kept. */
  readonly #conflicts: Buffer[] = [];
  #conflictBytes = 0;
  #lastPath: string | undefined;
  /**
   * Where the reader is: at the start of a record or of a line in a conflict's patch (`record`), inside such
   * a line (`line`), or in the patches that follow the counts (`patch`).
   */
  #at: 'record' | 'line' | 'patch' = 'record';

  /**
   * `used` is the number of bytes that text before the diff takes on the first page. With `rows`, the page
   * also has the files as objects, and their JSON has at most the size of a page.
   */
  constructor(start: PageStart, size: number, { used = 0, rows = false } = {}) {
    this.#rows = rows ? [] : undefined;
    this.#start = start;
    this.#size = size;
    this.#bytes = start.offset === 0 ? used : 0;
  }

  push(chunk: Buffer): boolean {
    if (this.#at === 'patch') return this.#patch!.push(chunk);
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (at < bytes.length) {
      if (this.#at === 'record' && bytes[at] === 0) return this.#startPatch(bytes.subarray(at + 1));
      // A hyphen starts the counts of a binary file or a line of a patch. The next byte tells which, so it is
      // awaited.
      if (this.#at === 'record' && bytes[at] === hyphen && at + 1 === bytes.length) break;
      const isCount = this.#at === 'record' && startsCount(bytes, at);
      const end = isCount ? recordEnd(bytes, at) : lineEnd(bytes, at);
      if (end === -1) break;
      const part = bytes.subarray(at, end);
      if (!(isCount ? this.#add(part) : this.#addConflict(part))) return false;
      if (!isCount) this.#at = part.at(-1) === newline ? 'record' : 'line';
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return true;
  }

  result(): TextPage {
    const page = this.#page();
    return this.#rows ? { ...page, files: this.#rows } : page;
  }

  #page(): TextPage {
    const { part, offset, digest } = this.#start;
    if (part === 'files' && offset > 0 && (this.#files < offset || this.#digestBefore !== digest))
      throw staleCursorError();
    if (this.#nextCursor !== undefined) return { text: this.#lines.join(''), nextCursor: this.#nextCursor };
    if (this.#conflictBytes > 0 && !this.#patch) this.#startPatch(Buffer.alloc(0));
    const patch = this.#patch?.result();
    if (part === 'text') return patch ?? { text: '' };
    const count = this.#files === 0 ? '' : `${this.#files} ${this.#files === 1 ? 'file' : 'files'}\n`;
    const files = `${this.#lines.join('')}${count}`;
    return {
      ...patch,
      text: patch && files !== '' ? `${files}\n${patch.text}` : files + (patch?.text ?? ''),
    };
  }

  /** Adds the line for a file. Returns false if the line no longer fits on the page. */
  #add(record: Buffer): boolean {
    if (this.#start.part === 'text') return true;
    // Without `--patch`, git lists a file in conflict twice, and only the second record has its counts.
    const path = pathOf(record);
    if (path === this.#lastPath && this.#lines.length > 0) {
      this.#lines[this.#lines.length - 1] = fileLine(record);
      if (this.#rows) this.#rows[this.#rows.length - 1] = changedFile(record);
      return true;
    }
    this.#lastPath = path;
    if (this.#files < this.#start.offset) {
      this.#files++;
      this.#hash.update(record);
      if (this.#files === this.#start.offset) this.#digestBefore = this.#digest();
      return true;
    }
    const line = fileLine(record);
    const row = this.#rows && changedFile(record);
    this.#bytes += row ? JSON.stringify(row).length + 1 : Buffer.byteLength(line);
    if (this.#bytes > this.#size && this.#lines.length > 0) {
      this.#nextCursor = `f${this.#files}.${this.#digest()}`;
      return false;
    }
    this.#files++;
    this.#hash.update(record);
    this.#lines.push(line);
    if (row) this.#rows!.push(row);
    return true;
  }

  /** Adds a part of a conflict's patch. Returns false if the page is complete. */
  #addConflict(part: Buffer): boolean {
    if (this.#start.part === 'text') return this.#patchReader().push(part);
    // More than a page is kept, so that the reader of the patch sees that there is another page.
    if (this.#conflictBytes <= this.#size + minPatchBytes) this.#conflicts.push(Buffer.from(part));
    this.#conflictBytes += part.length;
    return true;
  }

  #startPatch(bytes: Buffer): boolean {
    this.#at = 'patch';
    const patch = this.#patchReader();
    return this.#conflicts.every((part) => patch.push(part)) && patch.push(bytes);
  }

  #patchReader(): TextPageReader {
    const start = this.#start.part === 'text' ? this.#start : { ...this.#start, offset: 0, digest: '' };
    const size = start.offset > 0 ? this.#size : Math.max(this.#size - this.#bytes, minPatchBytes);
    return (this.#patch ??= new TextPageReader(start, size, shownPatch));
  }

  #digest(): string {
    return this.#hash.copy().digest('base64url').slice(0, 10);
  }
}

const hyphen = 0x2d;
const newline = 0x0a;

/** Whether a record starts here. No line of a patch starts with a digit, or with a hyphen and a tab. */
function startsCount(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]!;
  return (byte >= 0x30 && byte <= 0x39) || (byte === hyphen && bytes[at + 1] === 0x09);
}

/** Returns the index after the line at `start`, or the end of the bytes if it is incomplete. */
function lineEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(newline, start);
  return end === -1 ? bytes.length : end + 1;
}

/** Returns the index after a record, or -1 if incomplete. A renamed file has two more fields, its paths. */
function recordEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start) + 1;
  if (end === 0 || bytes[end - 2] !== 0x09) return end === 0 ? -1 : end;
  const from = bytes.indexOf(0, end) + 1;
  const to = from === 0 ? 0 : bytes.indexOf(0, from) + 1;
  return to === 0 ? -1 : to;
}

/**
 * Returns what follows the counts in a record: the path or, for a renamed file, both paths, with their NULs.
 */
function pathOf(record: Buffer): string {
  return record.toString('latin1').replace(/^[^\t]*\t[^\t]*\t/, '');
}

function changedFile(record: Buffer): ChangedFile {
  const [first = '', from, to] = textOf(record).split('\0');
  const [, added = '', deleted = '', path = ''] = /^([^\t]*)\t([^\t]*)\t([^]*)$/.exec(first) ?? [];
  const counts = added === '-' ? {} : { added: Number(added), deleted: Number(deleted) };
  return path === '' && from !== undefined && to !== undefined
    ? { path: to, from, ...counts }
    : { path, ...counts };
}

function fileLine(record: Buffer): string {
  const [first = '', from, to] = textOf(record).split('\0');
  const [, counts = '', path = ''] = /^([^\t]*\t[^\t]*\t)([^]*)$/.exec(first) ?? [];
  return path === '' && from !== undefined && to !== undefined
    ? `${counts}${listedPath(from)} -> ${listedPath(to)}\n`
    : `${counts}${listedPath(path)}\n`;
}
