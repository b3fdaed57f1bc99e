import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noSuch } from '../../errors.ts';
import { add, hasSubmodules, updateIndex } from '../../commands/work-tree/staging.ts';
import { status, type StatusEntry } from '../../commands/work-tree/status.ts';
import type { Repository } from '../../repository.ts';
import { quoted } from '../../safe-text.ts';
import { isUnstaged, refuseUnfiltered } from './refuse-unfiltered.ts';

/**
 * Stages files as they are in the work tree; a missing file is staged as deleted. Throws, and stages nothing,
 * if a file needs a filter that does not run. Returns the files' former entries. The caller must hold the
 * lock.
 */
export async function stageFiles(
  repository: Repository,
  paths: readonly string[],
): Promise<readonly StatusEntry[]> {
  await refuseUnfiltered(repository, paths, isUnstaged);
  const { entries } = await repository.runLocked(status({ paths, trusted: repository.trusted }));
  await stageUnfiltered(repository, paths);
  return entries.filter(isUnstaged);
}

/** Stages the changes and deletions of all tracked files. The caller must hold the lock. */
export async function stageTracked(repository: Repository): Promise<void> {
  const { entries } = await repository.runLocked(status({ trusted: repository.trusted }));
  const tracked = entries.filter(({ unstaged }) => unstaged !== undefined);
  const conflict = entries.find((entry) => entry.conflict !== undefined);
  if (conflict) throw new Error(`In conflict: ${quoted(conflict.path)}; resolve and stage it first`);
  const paths = tracked.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  if (paths.length === 0) return;
  await refuseUnfiltered(repository, ['.'], ({ unstaged }) => unstaged !== undefined);
  await repository.runLocked(updateIndex(paths));
}

/**
 * Stages files that need no filter: their content must already have the form in which git stores it. The
 * caller must hold the lock.
 */
export async function stageUnfiltered(repository: Repository, paths: readonly string[]): Promise<void> {
  // In a submodule, `git add` would use the submodule's own configuration, which was not checked.
  if (repository.trusted || !(await repository.runLocked(hasSubmodules(paths)))) {
    // Git could stage some paths before an error. A dry run finds the error first.
    if (paths.length > 1) await repository.runLocked(add(paths, { dryRun: true }));
    return repository.runLocked(add(paths));
  }
  const { top } = await repository.layout();
  const absent = paths.find((path) => !existsSync(join(top, path)));
  const { entries } = await repository.runLocked(status({ paths }));
  if (absent !== undefined && !entries.some(({ path }) => path === absent || path.startsWith(`${absent}/`))) {
    throw noSuch('file', absent);
  }
  await repository.runLocked(
    updateIndex(entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
  );
}
