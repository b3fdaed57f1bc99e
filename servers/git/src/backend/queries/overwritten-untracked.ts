import { join } from 'node:path';
import { isDirectory } from '../access/is-directory.ts';
import { pathsInTheWay } from '../access/path-in-the-way.ts';
import { changedPaths } from '../commands/staging.ts';
import { notInIndex, untrackedAmong } from '../commands/tree-paths.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** The untracked files, ignored or not, that a hard reset to a revision would overwrite or remove. */
export async function overwrittenUntracked(
  repository: Repository,
  revision: string,
  { signal }: CallOptions,
): Promise<string[]> {
  const { top } = await repository.layout();
  const [added, replaced] = await Promise.all([
    repository.run(notInIndex(revision), { signal }),
    replacedByDirectories(repository, { signal }),
  ]);
  const existing = [...pathsInTheWay(top, added), ...replaced];
  return existing.length === 0 ? [] : repository.run(untrackedAmong(existing), { signal });
}

/** The directories in place of tracked files, and the files in place of their directories. */
export async function replacedByDirectories(
  repository: Repository,
  { signal }: CallOptions,
): Promise<string[]> {
  const { top } = await repository.layout();
  const changed = await repository.run(changedPaths(['.'], false), { signal });
  return pathsInTheWay(top, changed).filter(
    (path) => !changed.includes(path) || isDirectory(join(top, path)),
  );
}
