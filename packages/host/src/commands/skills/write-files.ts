import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '@mcp/kit';
import type { Contents } from './files.ts';
import type { InstallationPlan } from './installation-plan.ts';
import { exists } from './installed-files.ts';

/**
 * Does what a plan says in the directory `target`. All files are written beside it first. No file is
 * executable, and none is written through a link. After a failure in the middle, the same plan can be made
 * and done again.
 */
export function writeFiles(target: string, plan: InstallationPlan, contents: Contents): void {
  const made = join(dirname(target), `.mcp-skill-${randomUUID()}`);
  mkdirSync(made, { recursive: true });
  try {
    for (const path of plan.writes) {
      const file = join(made, ...path.split('/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, contents.get(path) ?? '', { flag: 'wx', mode: 0o644 });
    }
    // An atomic step. It fails if something is there meanwhile.
    if (!exists(target)) return renameSync(made, target);
    for (const path of plan.deletes) removeFile(target, path.split('/'));
    for (const path of plan.writes) moveFile(made, target, path.split('/'));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Deletes a file, and the directories that are empty without it. */
function removeFile(target: string, names: readonly string[]): void {
  unlinkSync(join(target, ...names));
  for (let count = names.length - 1; count > 0; count--) {
    try {
      rmdirSync(join(target, ...names.slice(0, count)));
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return;
      throw error;
    }
  }
}

function moveFile(made: string, target: string, names: readonly string[]): void {
  const file = join(target, ...names);
  mkdirSync(dirname(file), { recursive: true });
  // Without this, an empty directory would be in the way; one with files is an error.
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(file);
  renameSync(join(made, ...names), file);
}
