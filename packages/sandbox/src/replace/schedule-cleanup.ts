import { dirname } from 'node:path';
import { pause } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { KeepDirectory } from '../keep/keep-directory.ts';
import type { NetworkFiles } from '../network/network-files.ts';
import { deleteStaleTemporaries } from './temporary-files.ts';

/**
 * After the server's first 100 ms, deletes the temporary files of killed processes, and the kept changes that
 * are too old.
 */
export async function scheduleCleanup(
  allowed: AllowedDirectories,
  networkFiles: NetworkFiles,
  keep?: KeepDirectory,
): Promise<void> {
  await pause(100, { unref: true });
  if (networkFiles.any)
    for (const { real } of allowed.directories) await networkFiles.probeMounts(dirname(real));
  deleteStaleTemporaries(allowed);
  await keep?.makeRoom(0).catch(() => {});
}
