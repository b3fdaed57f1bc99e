import { join } from 'node:path';
import { isDirectory } from '../access/is-directory.ts';
import { status, type StatusEntry } from '../commands/status.ts';
import { quoted } from '../display-name.ts';
import { filteredFiles, mayHaveFilters } from '../queries/disabled-filters.ts';
import type { CallOptions, Repository } from '../repository.ts';

const maxNamed = 20;

/**
 * Throws if git would store changed files at these paths without the filter that their attributes name, such
 * as the content of a file in place of its pointer of Git LFS. `stores` selects the changes that are stored.
 */
export async function refuseUnfiltered(
  repository: Repository,
  paths: readonly string[],
  stores: (entry: StatusEntry) => boolean,
  call: CallOptions,
): Promise<void> {
  if (repository.trusted) return;
  const known = await mayHaveFilters(repository, paths, 'clean');
  const { top } = await repository.layout();
  if (!known && !paths.some((path) => isDirectory(join(top, path)))) return;
  const { entries } = await repository.run(status({ paths }), call);
  const stored = entries
    .filter((entry) => entry.unstaged !== 'deleted' && stores(entry))
    .map(({ path }) => path);
  // Attributes below a directory are read only where something has changed.
  if (!known && !(await mayHaveFilters(repository, stored, 'clean'))) return;
  const files = await filteredFiles(repository, stored, 'clean', call);
  if (files.length === 0) return;
  const named = files
    .slice(0, maxNamed)
    .map(({ path, filter }) => `${quoted(path)} (filter ${quoted(filter)})`);
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : '';
  throw new Error(
    `Refused: filters do not run without --trust, and these files would be stored unfiltered: ${named.join(', ')}${more}; leave them out, or start the server with --trust`,
  );
}

/** What `git add` stores. */
export function isUnstaged({ unstaged, untracked, conflict }: StatusEntry): boolean {
  return unstaged !== undefined || untracked === true || conflict !== undefined;
}
