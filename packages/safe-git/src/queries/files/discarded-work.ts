import type { DiscardedWork } from '../../actions/kept/keep-work.ts';
import { status, type Status, type StatusEntry } from '../../commands/work-tree/status.ts';
import type { Repository } from '../../repository.ts';
import { operationIn } from '../operation/in-progress-operation.ts';
import { overwrittenUntracked } from './untracked-in-the-way.ts';

/** The paths whose content in the work tree differs from the index; of a renamed file both paths. */
function unstagedPaths({ entries }: Status): string[] {
  return entries
    .filter(({ unstaged, conflict }) => (unstaged ?? conflict) !== undefined)
    .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

/** What a hard reset to a revision discards; undefined if it discards nothing. */
export async function discardedByReset(
  repository: Repository,
  revision: string,
): Promise<DiscardedWork | undefined> {
  const [found, untracked] = await Promise.all([
    repository.run(status({ trusted: repository.trusted })),
    overwrittenUntracked(repository, revision),
  ]);
  const staged =
    found.entries.some((entry) => !entry.untracked) || operationIn(await repository.layout()) !== undefined;
  return staged || untracked.length > 0 ? { tracked: unstagedPaths(found), untracked, staged } : undefined;
}

/** What the removal of a whole work tree discards, without its ignored files. */
export async function allWork(repository: Repository): Promise<DiscardedWork> {
  const found = await repository.run(status({ trusted: repository.trusted }));
  const untracked = found.entries.filter((entry) => entry.untracked).map(({ path }) => path);
  return { tracked: unstagedPaths(found), untracked, staged: true };
}

/**
 * The files at these paths whose staged content neither HEAD nor the work tree has, so that it would be lost
 * if they were unstaged.
 */
export async function onlyStagedPaths(repository: Repository, paths: readonly string[]): Promise<string[]> {
  const { entries } = await repository.run(status({ trusted: repository.trusted, paths }));
  return entries
    .filter(({ staged, unstaged }) => staged !== undefined && unstaged !== undefined)
    .map(({ path }) => path);
}

/** The tracked files that differ from HEAD, and exist, such as resolved conflicts. */
export async function resolvedFiles(repository: Repository): Promise<string[]> {
  const { entries } = await repository.run(status({ trusted: repository.trusted }));
  const isThere = ({ staged, unstaged, untracked }: StatusEntry) =>
    !untracked && unstaged !== 'deleted' && (unstaged !== undefined || staged !== 'deleted');
  return entries.filter(isThere).map(({ path }) => path);
}
