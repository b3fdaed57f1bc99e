import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from '../access/repository-layout.ts';
import { readSmallFile } from '../read-small-file.ts';

/** Git's files about an operation in progress, in the git directory. */
const names = [
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'MERGE_AUTOSTASH',
  'SQUASH_MSG',
  'AUTO_MERGE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
];

/** The existing files and directories of operations. */
export function operationFiles({ gitDir }: Layout): string[] {
  return names.filter((name) => lstatSync(join(gitDir, name), { throwIfNoEntry: false }));
}

/** Ends an operation without changing HEAD, the index and the files: removes its files, except `kept`. */
export function removeOperationFiles(layout: Layout, kept: readonly string[]): void {
  for (const name of operationFiles(layout))
    if (!kept.includes(name)) rmSync(join(layout.gitDir, name), { recursive: true, force: true });
}

/** The commit with the local changes that an operation has put aside. */
export function autostashOf({ gitDir }: Layout): string | undefined {
  for (const name of ['rebase-merge/autostash', 'rebase-apply/autostash', 'MERGE_AUTOSTASH']) {
    const hash = readSmallFile(join(gitDir, name))?.toString('latin1').trim();
    if (hash !== undefined && /^[0-9a-f]{40,64}$/.test(hash)) return hash;
  }
  return undefined;
}
