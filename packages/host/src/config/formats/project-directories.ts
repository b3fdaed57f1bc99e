import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * The directories whose files configure servers of the project, the nearest first: the current one and those
 * above it, up to the root of its repository. Outside of a repository, and where its root is not below the
 * home directory but contains it, this is the current directory alone.
 */
export function projectDirectories({
  cwd,
  home,
}: {
  readonly cwd: string;
  readonly home: string;
}): readonly string[] {
  const homes = [home, realPath(home)];
  const found: string[] = [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (directory !== cwd && homes.some((each) => isBelow(each, directory))) return [cwd];
    found.push(directory);
    if (existsSync(join(directory, '.git'))) return found;
    if (dirname(directory) === directory) return [cwd];
  }
}

/** Whether a path is a directory or below it. */
function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path without symbolic links; unchanged if there is nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
