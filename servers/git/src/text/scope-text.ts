import { basename } from 'node:path';
import { escapeName, repositoriesInside, shortList } from '@mcp/safe-git';

/** Names the repositories in the allowed directories, and how to select one of them. */
export function scopeText(directories: readonly string[]): string {
  if (directories.length === 0)
    return 'Works on the roots of the client; repo_path may be omitted where they have one repository.';
  const repositories = repositoriesInside(directories);
  const all = directories.join(', ');
  if (directories.every((directory) => repositories.includes(directory)))
    return `Works on ${all}; ${directories.length === 1 ? 'repo_path may be omitted' : 'pass one as repo_path'}.`;
  if (repositories.length === 0) return `Works on the repositories in ${all}; there is none yet.`;
  const names = shortList(
    repositories.map((root) => basename(root)),
    20,
    escapeName,
  );
  return repositories.length === 1
    ? `Works on the repositories in ${all}; repo_path may be omitted while ${names} is the only one.`
    : `Works on the repositories in ${all}; pass the name of one as repo_path: ${names}.`;
}
