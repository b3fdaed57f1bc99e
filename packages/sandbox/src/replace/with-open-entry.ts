import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import * as fs from '../promised-fs.ts';
import type { EntryLocation } from '../access/allowed-directories.ts';

const { O_NOFOLLOW, O_NONBLOCK } = constants;

interface OpenMode {
  /** Flags of `open`; symlinks are never followed. */
  readonly flags: number;
  /** The permissions of a file that is created. */
  readonly mode?: number;
}

/** Opens an entry of an open directory, runs a change of it, and waits until the change is on the disk. */
export async function withOpenEntry<Result>(
  { parent, name }: EntryLocation,
  { flags, mode }: OpenMode,
  change: (fd: number) => Result,
): Promise<Result> {
  const fd = openSync(join(parent.base, name), flags | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    const result = change(fd);
    await fs.fsync(fd);
    return result;
  } finally {
    closeSync(fd);
  }
}
