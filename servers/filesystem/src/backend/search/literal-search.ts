import type { Hit } from './matching-lines.ts';
import type { Window } from './file-windows.ts';

const newline = 0x0a;

/** The lines of a window in which some bytes occur, at most so many. */
export function literalHits({ bytes, from, to }: Window, needle: Buffer, limit: number): Hit[] {
  const hits: Hit[] = [];
  for (let at = bytes.indexOf(needle, from); at >= 0 && at < to && hits.length < limit;) {
    hits.push({ line: bytes.lastIndexOf(newline, at) + 1, at });
    const end = bytes.indexOf(newline, at);
    if (end < 0) break;
    at = bytes.indexOf(needle, end + 1);
  }
  return hits;
}
