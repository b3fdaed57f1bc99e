import { isAbsolute, posix, relative, sep } from 'node:path';
import { quoted } from '../display-name.ts';

// Characters that some file systems do not see in a name.
const unseen = /[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** A path in the work tree, from its top: never out of it, and never into git's own directory. */
export function workPath(value: string, top: string): string {
  const refuse = (why: string): never => {
    throw new Error(`${why}: ${quoted(value)}; accepted is a path inside the repository`);
  };
  if (value === '' || value.includes('\0') || value.length > 4_096) refuse('Not a path');
  const inside = isAbsolute(value) ? relative(top, value) : value;
  const path = posix.normalize(sep === '\\' ? inside.replaceAll('\\', '/') : inside) || '.';
  if (isAbsolute(path) || path === '..' || path.startsWith('../')) refuse('Outside the repository');
  if (path.split('/').some(isGitDirectory)) refuse("Inside git's own directory");
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

export function workPaths(values: readonly string[], top: string): string[] {
  return values.map((value) => workPath(value, top));
}

/** As git protects it: in any case, as DOS shortens it, and with what HFS+ and NTFS ignore. */
function isGitDirectory(part: string): boolean {
  const seen = part
    .replace(unseen, '')
    .toLowerCase()
    .replace(/(::\$[a-z_]+|[. ])+$/, '')
    .replace(/:.*$/, '');
  return seen === '.git' || /^git~\d+$/.test(seen);
}
