import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import { add, hasSubmodules, updateIndex } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { isUnstaged, refuseUnfiltered } from './refuse-unfiltered.ts';

/**
 * Stages files as they are in the work tree, including deleted ones. Throws, and stages nothing, if one has
 * a filter that does not run. Runs inside `withLock`.
 */
export async function stageFiles(
  repository: Repository,
  paths: readonly string[],
  call: CallOptions,
): Promise<void> {
  await refuseUnfiltered(repository, paths, isUnstaged, call);
  await stageUnfiltered(repository, paths, call);
}

/**
 * Stages files whose content is already the one that git stores, whatever filter they have.
 * Runs inside `withLock`.
 */
export async function stageUnfiltered(
  repository: Repository,
  paths: readonly string[],
  call: CallOptions,
): Promise<void> {
  // To add a submodule, git runs itself there, with a configuration that was not inspected.
  if (repository.trusted || !(await repository.runLocked(hasSubmodules(paths), call))) {
    // Git stages some of several paths before it fails at one.
    if (paths.length > 1) await repository.runLocked(add(paths, { dryRun: true }), call);
    return repository.runLocked(add(paths), call);
  }
  const { top } = await repository.layout();
  const absent = paths.find((path) => !existsSync(join(top, path)));
  const { entries } = await repository.runLocked(status({ paths }), call);
  if (absent !== undefined && !entries.some(({ path }) => path === absent || path.startsWith(`${absent}/`))) {
    throw missingError(missing('file', absent));
  }
  await repository.runLocked(
    updateIndex(entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
    call,
  );
}
