import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const maxRepositories = 100;

/**
 * Returns at most 100 paths: each directory that is a repository and, for every other directory, the
 * repositories directly inside it.
 */
export function repositoriesInside(directories: readonly string[]): string[] {
  const found = directories.flatMap((directory) =>
    isRepository(directory) ? [directory] : childrenOf(directory).filter(hasGitDirectory),
  );
  return [...new Set(found)].slice(0, maxRepositories);
}

function isRepository(directory: string): boolean {
  return (
    hasGitDirectory(directory) ||
    ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(directory, name)))
  );
}

function hasGitDirectory(directory: string): boolean {
  return existsSync(join(directory, '.git'));
}

/** The subdirectories. Symlinks are left out, because they could lead outside the allowed directories. */
function childrenOf(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => join(directory, name))
      .toSorted();
  } catch {
    // The directory has been removed, or this user may not read it.
    return [];
  }
}
