import { quoted } from '@mcp/kit';
import * as fs from '../promised-fs.ts';
import { newline } from '../text/slice-lines.ts';
import { decodeText, isUtf16, textOf } from '../text/text-encoding.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { readForward } from './read-bytes.ts';
import { defaultTextBytes, readUtf16 } from './read-text.ts';

export interface LinesRange {
  /** The number of the first line, from 1. Default: 1. */
  offset?: number | undefined;
  /** The maximum number of lines. Default: all. */
  limit?: number | undefined;
  /** The maximum number of bytes, which may cut a line. Default: 1 MiB. */
  maxBytes?: number | undefined;
  /**
   * Also count all lines, for which the whole file is read; an `offset` after the last line is then no error.
   * Default: false.
   */
  counts?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of bytes read. */
  progress?: ((bytes: number) => void) | undefined;
}

export interface LinesRead {
  /** The real path of the file. */
  readonly path: string;
  /** The number of the first line. */
  readonly first: number;
  /** The lines, without their line breaks. */
  readonly lines: readonly string[];
  /** The number of the first line that was not read; missing at the end of the file. */
  readonly next?: number;
  /** Whether `maxBytes` cut the last line. */
  readonly cut: boolean;
  /** The number of all lines, if it was requested. */
  readonly total?: number;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The SHA-256 of the whole file, if it was requested. */
  readonly hash?: string;
}

const chunkBytes = 256 * 1024;
const progressEveryBytes = 64 * chunkBytes;

/** Reads lines. The memory used depends neither on the size of the file nor on the lines skipped. */
export async function readLines(
  opened: OpenedPath,
  requestedPath: string,
  range: LinesRange,
): Promise<LinesRead> {
  const { offset = 1, limit = Infinity, maxBytes = defaultTextBytes, counts = false } = range;
  const fd = opened.readable();
  const collector = new LineCollector(offset, limit, maxBytes, counts);
  if (isUtf16(await readForward(fd, 2))) {
    collector.take(Buffer.from((await readUtf16(fd, requestedPath)).text));
    return collector.read(opened, requestedPath);
  }
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; counts || !collector.done;) {
    const { bytesRead } = await fs.read(fd, chunk, 0, chunk.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    collector.take(chunk.subarray(0, bytesRead));
    if (at % progressEveryBytes === 0) range.progress?.(at);
    range.signal?.throwIfAborted();
  }
  return collector.read(opened, requestedPath);
}

/** Collects a range of lines from consecutive chunks. */
class LineCollector {
  readonly #offset: number;
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  readonly #counts: boolean;
  /** The line breaks of the whole file, if they are counted. */
  #breaks = 0;
  #line = 1;
  #keptLines = 0;
  #more = false;
  #endsOpen = false;
  #cut = false;

  constructor(offset: number, limit: number, maxBytes: number, counts: boolean) {
    this.#counts = counts;
    this.#offset = offset;
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  get done(): boolean {
    return this.#more || this.#cut;
  }

  take(chunk: Buffer): void {
    this.#endsOpen = chunk.at(-1) !== newline;
    if (this.#counts) this.#count(chunk);
    if (this.done) return;
    let at = 0;
    while (this.#line < this.#offset) {
      const end = chunk.indexOf(newline, at);
      if (end < 0) return;
      at = end + 1;
      this.#line++;
    }
    const from = at;
    while (at < chunk.length && this.#keptLines < this.#limit) {
      const end = chunk.indexOf(newline, at);
      at = end < 0 ? chunk.length : end + 1;
      if (end >= 0) this.#keptLines++;
      if (this.#keptBytes + at - from > this.#maxBytes) break;
    }
    this.#more = at < chunk.length;
    this.#keep(Buffer.from(chunk.subarray(from, at)));
  }

  #count(chunk: Buffer): void {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) this.#breaks++;
  }

  #keep(bytes: Buffer): void {
    const room = this.#maxBytes - this.#keptBytes;
    this.#kept.push(bytes.subarray(0, room));
    this.#keptBytes += Math.min(room, bytes.length);
    this.#cut = bytes.length > room;
  }

  read(opened: OpenedPath, requestedPath: string): LinesRead {
    const text = this.#decode(requestedPath);
    const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    if (lines.at(-1) === '') lines.pop();
    if (lines.length === 0 && this.#offset > 1 && !this.#counts) {
      const all = this.#line - (this.#endsOpen ? 0 : 1);
      throw new Error(`The file has only ${all === 1 ? '1 line' : `${all} lines`}: ${quoted(requestedPath)}`);
    }
    const next = this.#offset + lines.length;
    return {
      path: opened.path,
      first: this.#offset,
      lines,
      ...((this.#more || this.#cut) && { next }),
      cut: this.#cut && !text.endsWith('\n'),
      ...(this.#counts && { total: this.#breaks + Number(this.#endsOpen) }),
      size: opened.stats.size,
    };
  }

  #decode(requestedPath: string): string {
    let bytes = Buffer.concat(this.#kept);
    // `maxBytes` may have cut the last character: removes its bytes, until the rest can be decoded.
    for (let back = 0; this.#cut && back < 4 && 'reason' in decodeText(bytes); back++)
      bytes = bytes.subarray(0, -1);
    return textOf(bytes, requestedPath).text;
  }
}
