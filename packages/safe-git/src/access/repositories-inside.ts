import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const maxRepositories = 100;

/**
 * The repositories at some directories; for a directory without one, those directly inside it; at most 100.
 * They are not inspected.
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

/** Symlinks could lead outside. */
function childrenOf(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => join(directory, name))
      .toSorted();
  } catch {
    // It has been removed, or may not be read.
    return [];
  }
}
