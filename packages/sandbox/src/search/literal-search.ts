import { newline } from '../text/slice-lines.ts';
import type { Window } from './file-windows.ts';
import type { Match } from './matching-lines.ts';

/** Returns the lines of a window that contain `needle`, up to `limit` lines. */
export function findLiteral({ bytes, from, to }: Window, needle: Buffer, limit: number): Match[] {
  const matches: Match[] = [];
  for (let at = bytes.indexOf(needle, from); at >= 0 && at < to && matches.length < limit;) {
    matches.push({ line: bytes.lastIndexOf(newline, at) + 1, at });
    const end = bytes.indexOf(newline, at);
    if (end < 0) break;
    at = bytes.indexOf(needle, end + 1);
  }
  return matches;
}

/** The number of matching lines that are counted in one go; then the caller can pause. */
const batchLines = 20_000;

/**
 * Counts the lines after an offset that contain `needle`, up to `batchLines`. `next` is the offset at which
 * to continue; undefined at the end of the window.
 */
export function countLiteral(
  { bytes, to }: Window,
  needle: Buffer,
  from: number,
): { count: number; next: number | undefined } {
  let count = 0;
  for (let at = bytes.indexOf(needle, from); at >= 0 && at < to;) {
    count++;
    const end = bytes.indexOf(newline, at);
    if (end < 0) break;
    if (count === batchLines) return { count, next: end + 1 };
    at = bytes.indexOf(needle, end + 1);
  }
  return { count, next: undefined };
}
