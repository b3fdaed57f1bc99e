import { read } from 'node:fs';
import { promisify } from 'node:util';
import { decodeText } from '../text/text-encoding.ts';
import type { Opened } from '../access/path-opener.ts';
import { quoted } from '../display-name.ts';
import { readForward } from './read-bytes.ts';
import { defaultTextBytes } from './read-text.ts';

export interface LinesRange {
  /** The first line, counted from 1. */
  offset?: number | undefined;
  /** How many lines. */
  limit?: number | undefined;
  /** Never more than this, not even inside one line. */
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Hears now and then how many bytes have gone by. */
  progress?: ((bytes: number) => void) | undefined;
}

export interface LinesRead {
  /** The real path. */
  readonly path: string;
  /** The number of the first of these lines. */
  readonly first: number;
  /** Without line breaks. */
  readonly lines: readonly string[];
  /** The number of the line after these, when there is one. */
  readonly next?: number;
  /** Whether the cap on bytes has cut off the last line. */
  readonly cut: boolean;
}

const newline = 0x0a;
const chunkBytes = 256 * 1024;
const bytesTold = 64 * chunkBytes;
const readAsync = promisify(read);

/** Some lines of a text file, in memory that grows neither with the file nor with what comes before them. */
export async function readLines(opened: Opened, asked: string, range: LinesRange): Promise<LinesRead> {
  const { offset = 1, limit = Infinity, maxBytes = defaultTextBytes } = range;
  const fd = opened.readable();
  const start = await readForward(fd, 2);
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  if (isUtf16)
    return ofUtf16(await readForward(fd, maxBytes + 1), opened, asked, { offset, limit, maxBytes });

  const wanted = new Wanted(offset, limit, maxBytes);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; !wanted.done;) {
    const { bytesRead } = await readAsync(fd, chunk, 0, chunk.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    wanted.take(chunk.subarray(0, bytesRead));
    if (at % bytesTold === 0) range.progress?.(at);
    range.signal?.throwIfAborted();
  }
  return wanted.read(opened, asked);
}

function ofUtf16(
  bytes: Buffer,
  opened: Opened,
  asked: string,
  { offset, limit, maxBytes }: { offset: number; limit: number; maxBytes: number },
): LinesRead {
  if (bytes.length > maxBytes)
    throw new Error(`Too long to be read as UTF-16 (more than ${maxBytes} bytes): ${quoted(asked)}`);
  const decoded = decodeText(bytes);
  if ('reason' in decoded) throw new Error(`${decoded.reason}: ${quoted(asked)}`);
  const wanted = new Wanted(offset, limit, maxBytes);
  wanted.take(Buffer.from(decoded.text));
  return wanted.read(opened, asked);
}

/** Picks lines out of chunks of bytes as they come by. */
class Wanted {
  readonly #offset: number;
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #line = 1;
  #keptLines = 0;
  #more = false;
  #endsOpen = false;
  #cut = false;

  constructor(offset: number, limit: number, maxBytes: number) {
    this.#offset = offset;
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  get done(): boolean {
    return this.#more || this.#cut;
  }

  take(chunk: Buffer): void {
    this.#endsOpen = chunk.at(-1) !== newline;
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

  #keep(bytes: Buffer): void {
    const room = this.#maxBytes - this.#keptBytes;
    this.#kept.push(bytes.subarray(0, room));
    this.#keptBytes += Math.min(room, bytes.length);
    this.#cut = bytes.length > room;
  }

  read(opened: Opened, asked: string): LinesRead {
    const text = this.#decode(asked);
    const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    if (lines.at(-1) === '') lines.pop();
    if (lines.length === 0 && this.#offset > 1) {
      const all = this.#line - (this.#endsOpen ? 0 : 1);
      throw new Error(`Has only ${all === 1 ? '1 line' : `${all} lines`}: ${quoted(asked)}`);
    }
    const next = this.#offset + lines.length;
    return {
      path: opened.path,
      first: this.#offset,
      lines,
      ...((this.#more || this.#cut) && { next }),
      cut: this.#cut,
    };
  }

  #decode(asked: string): string {
    let bytes = Buffer.concat(this.#kept);
    // A cut may have gone through a character.
    for (let back = 0; this.#cut && back < 4 && 'reason' in decodeText(bytes); back++)
      bytes = bytes.subarray(0, -1);
    const decoded = decodeText(bytes);
    if ('reason' in decoded) throw new Error(`${decoded.reason}: ${quoted(asked)}`);
    return decoded.text;
  }
}
