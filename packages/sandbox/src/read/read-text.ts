import { quoted } from '@mcp/kit';
import { isUtf16, textOf, type Encoding, type Text } from '../text/text-encoding.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { endOf, firstLines, lastLines, lineAt, lineCounter, startOf } from '../text/slice-lines.ts';
import { readBackward, readForward, readSmall, maxSmallBytes } from './read-bytes.ts';

export interface TextRange {
  /** The number of lines to return from the start of the file. */
  head?: number | undefined;
  /** The number of lines to return from the end of the file. */
  tail?: number | undefined;
  /** The maximum number of bytes, which may cut a line. Default: 1 MiB. */
  maxBytes?: number | undefined;
  /**
   * With `tail`, also return the line number of the first returned line, unless only the end of a long file
   * is read.
   */
  firstLine?: boolean | undefined;
}

export interface TextRead {
  /** The real path of the file. */
  readonly path: string;
  /** The text, without a byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** The size of the file in bytes. */
  readonly size: number;
  /** Whether `maxBytes` removed a part of the requested text. */
  readonly truncated: boolean;
  /** The number, from 1, of the first line of `text`, if `firstLine` requested it and it is known. */
  readonly firstLine?: number;
  /** The SHA-256 of the whole file, if it was requested. */
  readonly hash?: string;
}

interface Selected {
  readonly bytes: Buffer;
  readonly truncated: boolean;
  readonly firstLine?: number;
}

export const defaultTextBytes = 1024 * 1024;

/** Reads the text of a file, or its first or last lines. The memory used is bounded by `maxBytes`. */
export function readText(
  opened: OpenedPath,
  requestedPath: string,
  range: TextRange,
): TextRead | Promise<TextRead> {
  refuseRange(range);
  const fd = opened.readable();
  const small = readSmall(fd, opened.stats.size);
  if (!small) return readLong(fd, opened, requestedPath, range);
  if (isUtf16(small)) return partOf(textOf(small, requestedPath), opened, requestedPath, range);
  return textRead(select(small, small.length, range), opened, requestedPath);
}

/** Reads a UTF-16 file. Throws if it has more than `maxBytes` bytes, because it is converted as a whole. */
export async function readUtf16(
  fd: number,
  requestedPath: string,
  maxBytes = defaultTextBytes,
): Promise<Text> {
  const bytes = await readForward(fd, maxBytes + 1);
  if (bytes.length <= maxBytes) return textOf(bytes, requestedPath);
  throw new Error(
    `The file is in UTF-16 and has more than ${maxBytes} bytes; convert it to UTF-8 first: ${quoted(requestedPath)}`,
  );
}

async function readLong(
  fd: number,
  opened: OpenedPath,
  requestedPath: string,
  range: TextRange,
): Promise<TextRead> {
  const limit = range.maxBytes ?? defaultTextBytes;
  // The first additional byte shows whether the file continues; the other three complete the last character.
  const room = limit + 4;
  const size = Math.max(opened.stats.size, maxSmallBytes + 1);
  if (isUtf16(await readForward(fd, 2))) {
    const text = await readUtf16(fd, requestedPath, Math.max(limit, defaultTextBytes));
    return partOf(text, opened, requestedPath, range);
  }
  if (range.tail) {
    // Files that the kernel generates, as in /proc, have no known size, and so cannot be read backwards.
    if (opened.stats.size <= maxSmallBytes)
      throw new Error(
        `The size of the file is unknown, so its end cannot be found; read from the start: ${quoted(requestedPath)}`,
      );
    const bytes = await readBackward(fd, room, lineCounter(range.tail + 1));
    return textRead(select(bytes, size, range), opened, requestedPath);
  }
  const bytes = await readForward(fd, room, range.head ? lineCounter(range.head) : undefined);
  return textRead(select(bytes, size, range), opened, requestedPath);
}

/** Returns the requested part of the bytes read so far. */
function select(
  bytes: Buffer,
  size: number,
  { head, tail, maxBytes = defaultTextBytes, firstLine }: TextRange,
): Selected {
  const wanted = head ? firstLines(bytes, head) : tail ? lastLines(bytes, tail) : bytes;
  const kept = tail ? endOf(wanted, maxBytes) : startOf(wanted, maxBytes);
  const isWhole = bytes.length >= size;
  return {
    bytes: kept,
    truncated: kept.length < wanted.length || (!head && !tail && !isWhole),
    ...(firstLine && tail && isWhole && { firstLine: lineAt(bytes, kept.byteOffset - bytes.byteOffset) }),
  };
}

function textRead({ bytes, ...selected }: Selected, opened: OpenedPath, requestedPath: string): TextRead {
  const { text, encoding } = textOf(bytes, requestedPath);
  return { path: opened.path, text, encoding, size: opened.stats.size, ...selected };
}

/** Converts text that was decoded from UTF-16 to UTF-8, then selects its lines. */
function partOf(
  { text, encoding }: Text,
  opened: OpenedPath,
  requestedPath: string,
  range: TextRange,
): TextRead {
  const utf8 = Buffer.from(text);
  return { ...textRead(select(utf8, utf8.length, range), opened, requestedPath), encoding };
}

function refuseRange({ head, tail, maxBytes }: TextRange): void {
  refuseCount('head', head);
  refuseCount('tail', tail);
  refuseCount('maxBytes', maxBytes);
  if (head && tail) throw new Error('Give head or tail, not both');
}

function refuseCount(name: string, count: number | undefined): void {
  if (count === undefined || (Number.isInteger(count) && count > 0)) return;
  throw new Error(`${name} must be a positive integer`);
}
