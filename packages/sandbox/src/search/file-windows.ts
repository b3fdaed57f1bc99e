import { readSync } from 'node:fs';
import { newline } from '../text/slice-lines.ts';
import { hasUtf8Bom } from '../text/text-encoding.ts';

/** A part of a file in memory: whole lines, or a part of a line that is longer than the buffer. */
export interface Window {
  readonly bytes: Buffer;
  /** The number of the first line in `bytes`, from 1. */
  readonly firstLine: number;
  /** The lines that begin at an offset in `[from, to)` are searched; those around are only context. */
  readonly from: number;
  readonly to: number;
  /** Whether the window is a part of a line that is longer than the buffer, and not the last part. */
  readonly isPart: boolean;
}

/** The bytes that neighbouring parts of a cut line have in common, so that a match at the cut is found. */
export const overlapBytes = 4096;

/**
 * Fills a buffer from the start of a file. Also returns whether the whole file fits, as nearly all files do.
 * One read returns all that fits, except for files that the kernel generates, as in /proc.
 */
export function firstWindow(
  fd: number,
  buffer: Buffer,
  isGenerated: boolean,
): { window: Window; isWhole: boolean } {
  const filled = isGenerated ? readInto(fd, buffer, 0) : readSync(fd, buffer, 0, buffer.length, null);
  const window = { bytes: buffer.subarray(0, filled), firstLine: 1, from: 0, to: filled, isPart: false };
  return { window, isWhole: filled < buffer.length };
}

/**
 * Yields a long file as windows in one buffer. {@link firstWindow} has filled the buffer, and each window
 * overwrites it. Each line is searched in exactly one window, with `context` lines before and after it.
 */
export function* windows(fd: number, buffer: Buffer, context: number): Generator<Window> {
  let filled = removeBom(fd, buffer);
  let from = 0;
  let firstLine = 1;
  while (filled === buffer.length) {
    const end = buffer.lastIndexOf(newline) + 1;
    const isCut = end <= from;
    const back = startOfLines(buffer, end, context);
    const to = isCut ? filled : back > from ? back : end;
    yield { bytes: buffer.subarray(0, isCut ? filled : end), firstLine, from, to, isPart: isCut };
    const kept = isCut ? Math.max(0, filled - overlapBytes) : startOfLines(buffer, to, context) || to;
    firstLine += countLines(buffer, kept);
    buffer.copyWithin(0, kept, filled);
    from = isCut ? 0 : to - kept;
    filled = filled - kept + readInto(fd, buffer, filled - kept);
  }
  if (filled > from) yield { bytes: buffer.subarray(0, filled), firstLine, from, to: filled, isPart: false };
}

/**
 * Fills the buffer from `start` until the buffer is full or the file ends; returns the number of bytes read.
 */
function readInto(fd: number, buffer: Buffer, start: number): number {
  let filled = start;
  while (filled < buffer.length) {
    const size = readSync(fd, buffer, filled, buffer.length - filled, null);
    if (size === 0) break;
    filled += size;
  }
  return filled - start;
}

/** Removes the byte order mark from a full buffer and refills it; returns the bytes in it. */
function removeBom(fd: number, buffer: Buffer): number {
  if (!hasUtf8Bom(buffer)) return buffer.length;
  const kept = buffer.copy(buffer, 0, 3);
  return kept + readInto(fd, buffer, kept);
}

/** Returns the offset at which the last `lines` lines before `end` begin. */
function startOfLines(buffer: Buffer, end: number, lines: number): number {
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
