import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noSuch } from '../../errors.ts';
import { add, hasSubmodules, updateIndex } from '../../commands/work-tree/staging.ts';
import { status } from '../../commands/work-tree/status.ts';
import type { Repository } from '../../repository.ts';
import { isUnstaged, refuseUnfiltered } from './refuse-unfiltered.ts';

/**
 * Stages files as they are in the work tree, including deleted ones. Throws, and stages nothing, if one has
 * a filter that does not run. Runs inside `withLock`.
 */
export async function stageFiles(repository: Repository, paths: readonly string[]): Promise<void> {
  await refuseUnfiltered(repository, paths, isUnstaged);
  await stageUnfiltered(repository, paths);
}

/**
 * Stages files without a check of their filters, because their content is already in the form that git
 * stores. Runs inside `withLock`.
 */
export async function stageUnfiltered(repository: Repository, paths: readonly string[]): Promise<void> {
  // For a submodule, `git add` would run git inside it, with a configuration that was not inspected.
  if (repository.trusted || !(await repository.runLocked(hasSubmodules(paths)))) {
    // Git would stage some of several paths before it fails at one, so a dry run comes first.
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
