import { readSync } from 'node:fs';

/** Some whole lines of a file; of a line longer than all memory there is, a part. */
export interface Window {
  readonly bytes: Buffer;
  /** The number of the first line. */
  readonly firstLine: number;
  /** A line that begins in this part is to be searched; those around it are there to be shown. */
  readonly from: number;
  readonly to: number;
}

const newline = 0x0a;
/** What two parts of a line that had to be cut have in common. */
const overlap = 4096;

/**
 * The beginning of a file in a buffer, and whether that is all of it. Short files are nearly all there are, and
 * have but this one window. One read gives all that fits, but of what the kernel makes up as it is read.
 */
export function firstWindow(
  fd: number,
  buffer: Buffer,
  isMadeUp: boolean,
): { window: Window; isWhole: boolean } {
  const filled = isMadeUp ? readInto(fd, buffer, 0) : readSync(fd, buffer, 0, buffer.length, null);
  const window = { bytes: buffer.subarray(0, filled), firstLine: 1, from: 0, to: filled };
  return { window, isWhole: filled < buffer.length };
}

/**
 * A file in windows over a buffer, which {@link firstWindow} has filled and each next one overwrites. Each line is
 * to be searched in one of them, with so many lines before and after it as are wanted.
 */
export function* windows(fd: number, buffer: Buffer, context: number): Generator<Window> {
  let filled = withoutMark(fd, buffer);
  let from = 0;
  let firstLine = 1;
  while (filled === buffer.length) {
    const end = buffer.lastIndexOf(newline) + 1;
    const isCut = end <= from;
    const back = backBy(buffer, end, context);
    const to = isCut ? filled : back > from ? back : end;
    yield { bytes: buffer.subarray(0, isCut ? filled : end), firstLine, from, to };
    const kept = isCut ? Math.max(0, filled - overlap) : backBy(buffer, to, context) || to;
    firstLine += countLines(buffer, kept);
    buffer.copyWithin(0, kept, filled);
    from = isCut ? 0 : to - kept;
    filled = filled - kept + readInto(fd, buffer, filled - kept);
  }
  if (filled > from) yield { bytes: buffer.subarray(0, filled), firstLine, from, to: filled };
}

/** Fills the buffer from `start`, as far as there is something. */
function readInto(fd: number, buffer: Buffer, start: number): number {
  let filled = start;
  while (filled < buffer.length) {
    const size = readSync(fd, buffer, filled, buffer.length - filled, null);
    if (size === 0) break;
    filled += size;
  }
  return filled - start;
}

/** Takes the byte order mark out of a buffer that is full; says how full it is then. */
function withoutMark(fd: number, buffer: Buffer): number {
  if (buffer[0] !== 0xef || buffer[1] !== 0xbb || buffer[2] !== 0xbf) return buffer.length;
  const kept = buffer.copy(buffer, 0, 3);
  return kept + readInto(fd, buffer, kept);
}

/** Where the last `lines` lines before `end` begin. */
function backBy(buffer: Buffer, end: number, lines: number): number {
  let at = end;
  for (let line = 0; line < lines && at > 0; line++)
    at = at < 2 ? 0 : buffer.lastIndexOf(newline, at - 2) + 1;
  return at;
}

function countLines(buffer: Buffer, end: number): number {
  let count = 0;
  for (let at = buffer.indexOf(newline); at >= 0 && at < end; at = buffer.indexOf(newline, at + 1)) count++;
  return count;
}
