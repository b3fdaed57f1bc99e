import type { DiscardedWork } from '../../actions/kept/keep-work.ts';
import { status, type Status, type StatusEntry } from '../../commands/work-tree/status.ts';
import type { Repository } from '../../repository.ts';
import { operationIn } from '../operation/in-progress-operation.ts';
import { unseenChanges } from './unseen-changes.ts';
import { overwrittenUntracked } from './untracked-in-the-way.ts';

/** The paths whose content in the work tree differs from the index. A renamed file gives two paths. */
function unstagedPaths({ entries }: Status): string[] {
  return entries
    .filter(({ unstaged, conflict }) => (unstaged ?? conflict) !== undefined)
    .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

/** Returns the work that a hard reset to a revision discards; undefined if it discards nothing. */
export async function discardedByReset(
  repository: Repository,
  revision: string,
): Promise<DiscardedWork | undefined> {
  const [found, untracked, unseen] = await Promise.all([
    repository.run(status({ trusted: repository.trusted })),
    overwrittenUntracked(repository, revision),
    unseenChanges(repository, ['.'], { skipped: false }),
  ]);
  const staged =
    found.entries.some((entry) => !entry.untracked) || operationIn(await repository.layout()) !== undefined;
  const tracked = [...unstagedPaths(found), ...unseen];
  return staged || untracked.length > 0 || unseen.length > 0 ? { tracked, untracked, staged } : undefined;
}

/** Returns the work that the removal of a whole work tree discards. Ignored files do not count as work. */
export async function allWork(repository: Repository): Promise<DiscardedWork> {
  const found = await repository.run(status({ trusted: repository.trusted }));
  const untracked = found.entries.filter((entry) => entry.untracked).map(({ path }) => path);
  const unseen = await unseenChanges(repository, ['.'], { skipped: true });
  return { tracked: [...unstagedPaths(found), ...unseen], untracked, staged: true };
}

/** Returns the files whose staged content is neither in HEAD nor in the work tree. */
export async function onlyStagedPaths(repository: Repository, paths: readonly string[]): Promise<string[]> {
  const { entries } = await repository.run(status({ trusted: repository.trusted, paths }));
  return entries
    .filter(({ staged, unstaged }) => staged !== undefined && unstaged !== undefined)
    .map(({ path }) => path);
}

/** The tracked files that exist and differ from HEAD, such as files whose conflicts were resolved. */
export async function resolvedFiles(repository: Repository): Promise<string[]> {
  const { entries } = await repository.run(status({ trusted: repository.trusted }));
  const isThere = ({ staged, unstaged, untracked }: StatusEntry) =>
    !untracked && unstaged !== 'deleted' && (unstaged !== undefined || staged !== 'deleted');
  return entries.filter(isThere).map(({ path }) => path);
}
