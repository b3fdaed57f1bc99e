import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../../commands/work-tree/staging.ts';
import { status, type StatusEntry } from '../../commands/work-tree/status.ts';
import { pathsBetween } from '../../commands/objects/tree-paths.ts';
import type { Repository } from '../../repository.ts';
import { filteredFiles, mayHaveFilters } from './disabled-filters.ts';

export interface WorkTreeState {
  readonly head: string | undefined;
  readonly entries: readonly StatusEntry[];
}

export async function workTreeState(repository: Repository): Promise<WorkTreeState> {
  const { branch, entries } = await repository.run(status());
  return { head: branch.oid, entries };
}

/** Returns the files that git has written since `before` without the filter that their attributes demand. */
export async function unfilteredSince(repository: Repository, before: WorkTreeState): Promise<string[]> {
  const after = await workTreeState(repository);
  const moved =
    before.head !== undefined && after.head !== undefined && before.head !== after.head
      ? await repository.run(pathsBetween(before.head, after.head))
      : [];
  const edited = new Set(after.entries.filter(({ unstaged }) => unstaged).map(({ path }) => path));
  const changed = [...differing(before.entries, after.entries), ...differing(after.entries, before.entries)];
  const { top } = await repository.layout();
  const written = [...new Set([...moved, ...changed])].filter(
    (path) => !edited.has(path) && lstatSync(join(top, path), { throwIfNoEntry: false })?.isFile(),
  );
  return (await filteredFiles(repository, written.toSorted(), 'smudge')).map(({ path }) => path);
}

/** Returns all tracked files whose filter does not run. */
export async function unfilteredFiles(repository: Repository): Promise<string[]> {
  if (!(await mayHaveFilters(repository, [], 'smudge'))) return [];
  const tracked = await repository.run(trackedFiles);
  return (await filteredFiles(repository, tracked, 'smudge')).map(({ path }) => path);
}

function differing(entries: readonly StatusEntry[], others: readonly StatusEntry[]): string[] {
  const known = new Set(others.map((entry) => JSON.stringify(entry)));
  return entries.filter((entry) => !known.has(JSON.stringify(entry))).map(({ path }) => path);
}
