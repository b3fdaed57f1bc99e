import { join } from 'node:path';
import { isDirectory } from '../../queries/files/untracked-in-the-way.ts';
import { status, type StatusEntry } from '../../commands/work-tree/status.ts';
import { quoted, shortList } from '../../safe-text.ts';
import { GitError } from '../../errors.ts';
import { filteredFiles, mayHaveFilters } from '../../queries/files/disabled-filters.ts';
import type { Repository } from '../../repository.ts';

const maxNamed = 20;

/**
 * Throws if git would store changes without their filter: for Git LFS, the content instead of a pointer.
 * `stores` selects the changes that the command is going to store.
 */
export async function refuseUnfiltered(
  repository: Repository,
  paths: readonly string[],
  stores: (entry: StatusEntry) => boolean,
): Promise<void> {
  if (repository.trusted) return;
  const known = await mayHaveFilters(repository, paths, 'clean');
  const { top } = await repository.layout();
  if (!known && !paths.some((path) => isDirectory(join(top, path)))) return;
  const { entries } = await repository.run(status({ paths }));
  const stored = entries
    .filter((entry) => entry.unstaged !== 'deleted' && stores(entry))
    .map(({ path }) => path);
  // A cheap check first: only attribute files in directories above the changed files can name a filter.
  if (!known && !(await mayHaveFilters(repository, stored, 'clean'))) return;
  const files = await filteredFiles(repository, stored, 'clean');
  if (files.length === 0) return;
  const named = files.map(({ path, filter }) => `${quoted(path)} (filter ${quoted(filter)})`);
  const list = shortList(named, maxNamed, String);
  throw new GitError(
    `Refused: the filters of an untrusted repository do not run, and these files would be stored unfiltered: ${list}; leave them out`,
    'not trusted',
  );
}

/** Whether `git add` would store this change: it is unstaged, untracked or in conflict. */
export function isUnstaged({ unstaged, untracked, conflict }: StatusEntry): boolean {
  return unstaged !== undefined || untracked === true || conflict !== undefined;
}
