import { accessSync, constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { TimeSlice } from '../time-slice.ts';
import { bytePathOf, entriesOf } from '../traverse/directory-entries.ts';

export interface MeasureOptions {
  readonly maxBytes: number;
  /**
   * The least number of bytes that a file, a link or a directory counts towards the size: otherwise any
   * number of empty ones would fit.
   */
  readonly minItemBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the numbers of bytes and entries of a directory. Throws if there are too many bytes, or if it could
 * not be deleted later because of a mount point or a directory without write permission.
 */
export async function measureTree(
  allowed: AllowedDirectories,
  path: string,
  { maxBytes, minItemBytes, signal }: MeasureOptions,
): Promise<{ bytes: number; count: number }> {
  const slice = new TimeSlice(signal);
  const pending = [path];
  let device: number | undefined;
  let bytes = 0;
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    using directory = allowed.openAt(next);
    device ??= directory.stats.dev;
    if (directory.stats.dev !== device) throw new Error(`a file system is mounted at ${quoted(next)}`);
    accessSync(directory.base, constants.R_OK | constants.W_OK | constants.X_OK);
    bytes += minItemBytes;
    count++;
    for (const entry of entriesOf(directory)) {
      if (entry.isDirectory()) pending.push(join(next, entry.name));
      else {
        count++;
        const stats = lstatSync(bytePathOf(directory, entry.name), { throwIfNoEntry: false });
        bytes += Math.max(stats?.isFile() ? stats.size : 0, minItemBytes);
      }
      if (bytes > maxBytes)
        throw new Error(`the directory has more than ${maxBytes} bytes, the most that can be kept`);
      if (slice.over) await slice.pause();
    }
  }
  return { bytes, count };
}
