import { closeSync, constants, openSync } from 'node:fs';
import * as fs from '../promised-fs.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';

const { O_NOFOLLOW, O_NONBLOCK } = constants;

interface OpenMode {
  /** Flags of `open`; symlinks are never followed. */
  readonly flags: number;
  /** The permissions of the file if `flags` create it. */
  readonly mode?: number;
}

/** Opens an entry, runs `change` with the descriptor, and waits until the change is on the disk. */
export async function withOpenEntry<Result>(
  entry: EntryLocation,
  { flags, mode }: OpenMode,
  change: (fd: number) => Result,
): Promise<Result> {
  const fd = openSync(pathOf(entry), flags | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    const result = change(fd);
    await fs.fsync(fd);
    return result;
  } finally {
    closeSync(fd);
  }
}
