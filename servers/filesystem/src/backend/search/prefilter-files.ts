import type fs from 'node:fs';
import type { Needle } from './needle.ts';

/** For a file, and one byte more; a file that fills this is one to look at closely. */
export const siftBytes = 128 * 1024 + 1;

/**
 * Which of some files may have bytes in them, by their places in the list: those that have them, and those that need
 * a closer look because they are long, in UTF-16 or not to be opened, or have a name that is not UTF-8. `lead` is
 * what comes before each name in its path. Runs in other processes too, so its text is handed over, and it may use
 * nothing from outside itself.
 */
export function sift(
  { openSync, readSync, closeSync, constants }: typeof fs,
  lead: string,
  names: readonly string[],
  { bytes, rarest }: Needle,
  buffer: Buffer,
): number[] {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const rare = bytes[rarest]!;
  const most = buffer.length - 1;
  const kept: number[] = [];
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (name.includes('\ufffd')) {
      kept.push(index);
      continue;
    }
    try {
      const fd = openSync(lead + name, flags);
      try {
        const size = readSync(fd, buffer, 0, most, null);
        const isUtf16 = size > 1 && buffer[0]! + buffer[1]! === 0xff + 0xfe;
        // One byte is found in a fifth of the time that several take; this one ends the search for it.
        buffer[size] = rare;
        const first = buffer.indexOf(rare);
        const hasIt = first < size && buffer.subarray(0, size).includes(bytes, Math.max(0, first - rarest));
        if (size === most || isUtf16 || hasIt) kept.push(index);
      } finally {
        closeSync(fd);
      }
    } catch {
      kept.push(index);
    }
  }
  return kept;
}
