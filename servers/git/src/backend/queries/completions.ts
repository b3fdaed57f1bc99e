import { fields } from '../commands/nul-records.ts';
import { refs } from '../commands/refs.ts';
import { parseTree, readObject } from '../commands/cat-file.ts';
import { revision as checked, treePath } from '../commands/validate-revision.ts';
import type { Command } from '../command.ts';
import type { Repository } from '../repository.ts';

const most = 100;

/** Revisions that begin as somebody has begun to type: HEAD, branches, tags. */
export async function completeRevision(repository: Repository, typed: string): Promise<string[]> {
  const [branches, tags] = await Promise.all([
    repository.run(refs({ kind: 'all' })),
    repository.run(refs({ kind: 'tags' })),
  ]);
  const names = ['HEAD', ...[...branches, ...tags].map(({ name }) => name)];
  return [...new Set(names)].filter((name) => name.startsWith(typed));
}

/** Paths of a revision that begin as somebody has begun to type; directories end with a slash. */
export async function completePath(
  repository: Repository,
  revision: string,
  typed: string,
): Promise<string[]> {
  const slash = typed.lastIndexOf('/');
  const directory = typed.slice(0, slash + 1);
  try {
    const name = `${checked(revision)}:${treePath(directory.replace(/\/+$/, ''))}`;
    const object = await repository.run(readObject(name, 4 * 1024 * 1024));
    if (object?.type !== 'tree') return [];
    const { hash } = await repository.layout();
    return parseTree(object.bytes, hash === 'sha256' ? 64 : 40)
      .map(({ name: entry, kind }) => directory + entry + (kind === 'directory' ? '/' : ''))
      .filter((path) => path.startsWith(typed))
      .slice(0, most);
  } catch {
    // What is half typed need not name anything yet.
    return [];
  }
}

/** Paths in conflict. */
export const conflictedPaths: Command<string[]> = {
  args: ['diff', '--name-only', '--diff-filter=U', '-z', '--no-ext-diff', '--ignore-submodules=dirty', '--'],
  parse: ({ stdout }) => [...new Set(fields(stdout))],
};
