import { closeSync, openSync, renameSync, unlinkSync } from 'node:fs';
import { codeOf } from '@mcp/kit';
import * as fs from '../promised-fs.ts';

/** Error codes of `link`: no hard links on the file system, or not to files of other users. */
const refusals = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

/** Whether an error of `link` means that hard links are not possible here. */
export function isHardLinkUnsupported(error: unknown): boolean {
  return refusals.has(codeOf(error) ?? '');
}

/** Renames a file without replacing an existing file: links the new name, then unlinks the old name. */
export async function renameNoReplace(here: string, there: string): Promise<void> {
  try {
    await fs.link(here, there);
  } catch (error) {
    if (!isHardLinkUnsupported(error)) throw error;
    return renameOntoPlaceholder(here, there);
  }
  // In an append-only directory the old name stays; the new one has the complete file.
  await fs.unlink(here).catch((error) => {
    if (codeOf(error) !== 'EPERM') throw error;
  });
}

/**
 * Renames a file on a file system without hard links, without replacing an existing file. It creates an empty
 * file under the new name, which fails if the name exists, and renames onto this empty file.
 */
export function renameOntoPlaceholder(here: string, there: string): void {
  closeSync(openSync(there, 'wx'));
  try {
    renameSync(here, there);
  } catch (error) {
    unlinkSync(there);
    throw error;
  }
}
