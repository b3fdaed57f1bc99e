import type fs from 'node:fs';

/** Files of one directory, and the bytes that they are searched for. */
export interface SiftTask {
  /** The path of the directory. */
  readonly base: string;
  readonly names: readonly string[];
  readonly needle: Uint8Array;
}

/**
 * Which of some files may have bytes in them, by their places in the list: those that have them, and those that need
 * a closer look because they are long, in UTF-16 or not to be opened. Runs in threads too, so its text is handed
 * over, and it may use nothing from outside itself.
 */
export function sift(
  { openSync, readSync, closeSync, constants }: typeof fs,
  { base, names, needle }: SiftTask,
  buffer: Buffer,
): number[] {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const kept: number[] = [];
  for (let index = 0; index < names.length; index++) {
    try {
      const fd = openSync(`${base}/${names[index]!}`, flags);
      try {
        const size = readSync(fd, buffer, 0, buffer.length, null);
        const isUtf16 = size > 1 && buffer[0]! + buffer[1]! === 0xff + 0xfe;
        const isLong = size === buffer.length;
        if (isLong || isUtf16 || buffer.subarray(0, size).includes(needle as Buffer)) kept.push(index);
      } finally {
        closeSync(fd);
      }
    } catch {
      kept.push(index);
    }
  }
  return kept;
}
