import type fs from 'node:fs';
import type { Needle } from './literal-search.ts';

/** The part of a file that is prefiltered, plus one byte for a sentinel. */
export const prefilterBufferBytes = 128 * 1024 + 1;

/**
 * The indexes of the files that may contain some bytes: those that do, and those that cannot be
 * decided here because they are long, in UTF-16, cannot be opened, or have a name that is not UTF-8.
 * `prefix` comes before each name in its path. Also runs in other processes, which receive its source text,
 * so it must not use anything from outside itself.
 */
export function prefilterFiles(
  { openSync, readSync, closeSync, constants }: typeof fs,
  prefix: string,
  names: readonly string[],
  { bytes, rarest }: Needle,
  buffer: Buffer,
): number[] {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const rare = bytes[rarest]!;
  const maxSize = buffer.length - 1;
  const kept: number[] = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (name.includes('\ufffd')) {
      kept.push(index);
      continue;
    }
    try {
      const fd = openSync(prefix + name, flags);
      try {
        const size = readSync(fd, buffer, 0, maxSize, null);
        const isUtf16 = size > 1 && buffer[0]! + buffer[1]! === 0xff + 0xfe;
        // Sentinel, so that `indexOf` stops at the end. A one-byte search is five times as
        // fast as a longer one.
        buffer[size] = rare;
        const first = buffer.indexOf(rare);
        const hasNeedle =
          first < size && buffer.subarray(0, size).includes(bytes, Math.max(0, first - rarest));
        if (size === maxSize || isUtf16 || hasNeedle) kept.push(index);
      } finally {
        closeSync(fd);
      }
    } catch {
      kept.push(index);
    }
  }
  return kept;
}
