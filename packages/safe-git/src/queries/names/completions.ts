import { parseTree, readObject } from '../../commands/objects/cat-file.ts';
import { refNames, shortRefName } from '../../commands/refs/refs.ts';
import { checkRevision, checkTreePath } from '../../parse/validate-revision.ts';
import type { Repository } from '../../repository.ts';

const maxCompletions = 100;
const maxTreeBytes = 4 * 1024 * 1024;

/** Returns HEAD, branches and tags whose names start with `typed`. */
export async function completeRevision(repository: Repository, typed: string): Promise<string[]> {
  const [branches, tags] = await Promise.all([
    repository.run(refNames({ kind: 'all' })),
    repository.run(refNames({ kind: 'tags' })),
  ]);
  const names = ['HEAD', ...[...branches, ...tags].map(shortRefName)];
  return [...new Set(names)].filter((name) => name.startsWith(typed));
}

/** Returns the paths of a revision that start with `typed`. Directories end with a slash. */
export async function completePath(
  repository: Repository,
  revision: string,
  typed: string,
): Promise<string[]> {
  const slash = typed.lastIndexOf('/');
  const directory = typed.slice(0, slash + 1);
  try {
    const name = `${checkRevision(revision)}:${checkTreePath(directory.replace(/\/+$/, ''))}`;
    const object = await repository.run(readObject(name, maxTreeBytes));
    if (object?.type !== 'tree') return [];
    const { hash } = await repository.layout();
    return parseTree(object.bytes, hash === 'sha256' ? 64 : 40)
      .map(({ name: entry, kind }) => directory + entry + (kind === 'directory' ? '/' : ''))
      .filter((path) => path.startsWith(typed))
      .slice(0, maxCompletions);
  } catch {
    // The user is still typing the argument, so it may not be valid yet.
    return [];
  }
}
