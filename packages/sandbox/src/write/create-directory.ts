import { mkdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { codeOf, quoted } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { WriteContext } from '../replace/write-context.ts';
import { toPathError, NotFound } from '../errors.ts';

export interface CreatedDirectory {
  /** The real path of the directory. */
  readonly path: string;
  /** The number of directories created; 0 if the directory existed. */
  readonly created: number;
}

/**
 * Creates a directory and its missing parents, each through its parent's descriptor. It gets the mode of the
 * directory `like`, less the umask: a private directory's copy is private, too.
 */
export function createDirectory(
  { allowed }: Pick<WriteContext, 'allowed'>,
  requestedPath: string,
  like?: string,
): CreatedDirectory {
  const mode = like === undefined ? undefined : modeOf(allowed, like);
  const path = allowed.locate(requestedPath.replace(/[/]+$/, '') || requestedPath, { parents: true });
  const { start, names } = missingFrom(allowed, path, requestedPath);
  let parent = start;
  let created = 0;
  try {
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      created += create(join(parent.base, name), requestedPath, isLast ? mode : undefined);
      const next = allowed.openAt(join(parent.path, name));
      parent.close();
      parent = next;
    }
    return { path: parent.path, created };
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP')
      throw new Error(`Already exists and is not a directory: ${quoted(requestedPath)}`, { cause: error });
    throw toPathError(error, requestedPath, 'directory');
  } finally {
    parent.close();
  }
}

/** Returns the nearest existing ancestor of a path, and the names that lead from there to the path. */
function missingFrom(allowed: AllowedDirectories, path: string, requestedPath: string) {
  for (let at = path; ; at = join(at, '..')) {
    try {
      return { start: allowed.openAt(at), names: relative(at, path).split(sep).filter(Boolean) };
    } catch (error) {
      if (codeOf(error) === 'ENOTDIR')
        throw new Error(`Already exists and is not a directory: ${quoted(requestedPath)}`, { cause: error });
      if (codeOf(error) !== 'ENOENT' && !(error instanceof NotFound))
        throw toPathError(error, requestedPath, 'directory');
      if (allowed.directories.some(({ real }) => real === at)) throw error;
    }
  }
}

/** Returns the mode of a directory, with all permissions for its owner. */
function modeOf(allowed: AllowedDirectories, path: string): number {
  using opened = allowed.open(path);
  return (opened.stats.mode & 0o777) | 0o700;
}

function create(path: string, requestedPath: string, mode: number | undefined): 0 | 1 {
  try {
    mkdirSync(path, mode);
    return 1;
  } catch (error) {
    // Another process has created the entry in the meantime. If it is not a directory, opening it next fails.
    if (codeOf(error) === 'EEXIST') return 0;
    throw toPathError(error, requestedPath, 'directory');
  }
}
