import { decodeText, type Encoding } from '../text/text-encoding.ts';
import type { Opened } from '../access/path-opener.ts';
import { quoted } from '../display-name.ts';
import { endOf, firstLines, lastLines, lineCounter, startOf } from '../text/slice-lines.ts';
import { readBackward, readForward, readSmall, smallBytes } from './read-bytes.ts';

export interface TextRange {
  /** Only so many lines from the start. */
  head?: number | undefined;
  /** Only so many lines from the end. */
  tail?: number | undefined;
  /** Never more than this, not even inside one line. */
  maxBytes?: number | undefined;
}

export interface TextRead {
  /** The real path. */
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** The size of the file, which is not the length of the text. */
  readonly size: number;
  /** Whether the cap on bytes took away some of what was asked for. */
  readonly truncated: boolean;
}

interface Selected {
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

export const defaultTextBytes = 1024 * 1024;

/** The text of a file, or its first or last lines, in memory that does not grow with the file. */
export function readText(opened: Opened, asked: string, range: TextRange): TextRead | Promise<TextRead> {
  refuseRange(range);
  const fd = opened.readable();
  const small = readSmall(fd, opened.stats.size);
  if (!small) return readLong(fd, opened, asked, range);
  return isUtf16(small)
    ? textOf(small, opened, asked, range)
    : textRead(select(small, small.length, range), opened, asked);
}

async function readLong(fd: number, opened: Opened, asked: string, range: TextRange): Promise<TextRead> {
  const limit = range.maxBytes ?? defaultTextBytes;
  // One byte more tells whether there is more, and three more whether the last character is whole.
  const room = limit + 4;
  const size = Math.max(opened.stats.size, smallBytes + 1);
  if (isUtf16(await readForward(fd, 2))) {
    const bytes = await readForward(fd, room);
    if (bytes.length > limit)
      throw new Error(`Too long to be read as UTF-16 (more than ${limit} bytes): ${quoted(asked)}`);
    return textOf(bytes, opened, asked, range);
  }
  if (range.tail) {
    // What the kernel makes up as it is read, as in /proc, has no end to start from.
    if (opened.stats.size <= smallBytes) throw new Error(`Can only be read from the start: ${quoted(asked)}`);
    const bytes = await readBackward(fd, room, lineCounter(range.tail + 1));
    return textRead(select(bytes, size, range), opened, asked);
  }
  const bytes = await readForward(fd, room, range.head ? lineCounter(range.head) : undefined);
  return textRead(select(bytes, size, range), opened, asked);
}

/** The part that was asked for, of all of a file or of enough of it. */
function select(
  bytes: Buffer,
  size: number,
  { head, tail, maxBytes = defaultTextBytes }: TextRange,
): Selected {
  const wanted = head ? firstLines(bytes, head) : tail ? lastLines(bytes, tail) : bytes;
  const kept = tail ? endOf(wanted, maxBytes) : startOf(wanted, maxBytes);
  return { bytes: kept, truncated: kept.length < wanted.length || (!head && !tail && bytes.length < size) };
}

function textRead({ bytes, truncated }: Selected, opened: Opened, asked: string): TextRead {
  const decoded = decodeText(bytes);
  if ('reason' in decoded) throw new Error(`${decoded.reason}: ${quoted(asked)}`);
  return {
    path: opened.path,
    text: decoded.text,
    encoding: decoded.encoding,
    size: opened.stats.size,
    truncated,
  };
}

/** Lines of UTF-16 are cut as UTF-8, which has the same characters. */
function textOf(bytes: Buffer, opened: Opened, asked: string, range: TextRange): TextRead {
  const decoded = decodeText(bytes);
  if ('reason' in decoded) throw new Error(`${decoded.reason}: ${quoted(asked)}`);
  const utf8 = Buffer.from(decoded.text);
  return { ...textRead(select(utf8, utf8.length, range), opened, asked), encoding: decoded.encoding };
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function refuseRange({ head, tail, maxBytes }: TextRange): void {
  refuseCount('head', head);
  refuseCount('tail', tail);
  refuseCount('maxBytes', maxBytes);
  if (head && tail) throw new Error('Ask for head or tail, not both');
}

function refuseCount(name: string, count: number | undefined): void {
  if (count === undefined || (Number.isInteger(count) && count > 0)) return;
  throw new Error(`${name} must be a whole number from 1 on`);
}
