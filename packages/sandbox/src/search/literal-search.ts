import { newline } from '../text/slice-lines.ts';
import type { Window } from './file-windows.ts';
import type { Match } from './matching-lines.ts';

/** The bytes to search for. */
export interface Needle {
  readonly bytes: Buffer;
  /** The index of its rarest byte: a text without that byte need not be searched. */
  readonly rarest: number;
}

/** The most frequent bytes of code and prose, in descending order. Other bytes are rarer. */
const frequentBytes =
  ' etsniroacld"_pu,mfh.g:)(S/-ybET0\'*vkIACNORx=Lw1`P#\t2{};DM[]F5UB3j9>4GX86\\qHV7<|zK@WYQ+&$?!J%Z^~';

export function needleOf(text: string): Needle {
  const bytes = Buffer.from(text);
  let rarest = 0;
  for (let at = 1; at < bytes.length; at++) if (rarity(bytes[at]!) > rarity(bytes[rarest]!)) rarest = at;
  return { bytes, rarest };
}

/** The lines of a window that contain some bytes, at most `limit`. */
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

/** Lines that are counted without a pause. */
const batchLines = 20_000;

/**
 * The number of lines from an offset on that contain some bytes, up to a batch, and the
 * offset of the next batch.
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

function rarity(byte: number): number {
  const rank = frequentBytes.indexOf(String.fromCharCode(byte));
  return rank < 0 ? frequentBytes.length : rank;
}
