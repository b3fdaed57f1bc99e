import { lstatSync } from 'node:fs';
import { basename, isAbsolute, join, posix, relative, sep } from 'node:path';
import { quoted } from '../safe-text.ts';

/** Characters that the file system HFS+ ignores in a name, so that a name with them can open `.git`. */
const ignoredCharacters = /[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Returns a path relative to `top`, the root of the work tree. Throws for a path outside it or in `.git`. */
export function workTreePath(requestedPath: string, top: string): string {
  const refuse = (reason: string): never => {
    throw new Error(`${reason}: ${quoted(requestedPath)}; expected a path inside the repository`);
  };
  if (requestedPath === '' || requestedPath.includes('\0') || requestedPath.length > 4_096)
    refuse('Invalid path');
  const inside = isAbsolute(requestedPath) ? relative(top, requestedPath) : requestedPath;
  const path = posix.normalize(sep === '\\' ? inside.replaceAll('\\', '/') : inside) || '.';
  if (isAbsolute(path) || path === '..' || path.startsWith('../')) refuse('Outside the repository');
  if (path.split('/').some(isGitDirectory)) refuse('Inside the git directory');
  return withoutName(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path, top);
}

/**
 * Removes the name of the repository's directory from the start of a path. A client has such a path from a
 * program that ran in the parent directory. The path stays if the repository itself has an entry with that
 * name.
 */
function withoutName(path: string, top: string): string {
  const [first = '', ...rest] = path.split('/');
  if (first !== basename(top) || exists(join(top, first))) return path;
  return exists(join(top, ...rest.slice(0, -1))) ? rest.join('/') || '.' : path;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** Like `workTreePath`, but for a path in a revision. A path outside the work tree is returned unchanged. */
export function pathInRevision(path: string, top: string): string {
  if (!isAbsolute(path)) return withoutName(path, top);
  const inside = relative(top, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || inside === ''
    ? path
    : inside.replaceAll(sep, '/');
}

export function workTreePaths(requestedPaths: readonly string[], top: string): string[] {
  return requestedPaths.map((path) => workTreePath(path, top));
}

/** Whether some file system opens `.git` by this name: in other letter case, or by a short (8.3) name. */
function isGitDirectory(name: string): boolean {
  const canonical = name
    .replace(ignoredCharacters, '')
    .toLowerCase()
    .replace(/(::\$[a-z_]+|[. ])+$/, '')
    .replace(/:.*$/, '');
  return canonical === '.git' || /^git~\d+$/.test(canonical);
}
