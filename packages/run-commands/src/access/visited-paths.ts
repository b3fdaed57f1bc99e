import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';

/** The maximum number of symbolic links that are followed, as on Linux. */
const maxLinks = 40;

/**
 * Returns the paths that the system visits to open `path`: that of each symbolic link on the way, then that
 * of the target. In each of these paths, only the last part can be a symbolic link. A part that does not
 * exist is treated as if it were no link.
 */
export function visitedPaths(path: string): string[] {
  const links: string[] = [];
  let { root: at } = parse(resolve(path));
  let rest = resolve(path).slice(at.length).split(sep).filter(Boolean);
  while (rest.length > 0) {
    const [name, ...after] = rest as [string, ...string[]];
    const next = join(at, name);
    const target = linkAt(next);
    if (target === undefined) {
      at = next;
      rest = after;
      continue;
    }
    links.push(next);
    if (links.length > maxLinks) throw new Error(`Too many symbolic links: "${path}"`);
    const { root } = parse(resolve(at, target));
    rest = [...resolve(at, target).slice(root.length).split(sep).filter(Boolean), ...after];
    at = root;
  }
  return [...links, at];
}

/** Returns the path to which a path leads, without symbolic links. */
export function leadsTo(path: string): string {
  return visitedPaths(path).at(-1)!;
}

/** Returns a directory and all directories above it, the nearest first. */
export function withParents(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...withParents(above)];
}

/**
 * Leaves out directories that are inside another directory of the list: the agent could replace them by
 * symbolic links, which a sandbox would follow.
 */
export function outermost(directories: readonly string[]): string[] {
  return directories.filter((each) =>
    withParents(dirname(each)).every((above) => above === each || !directories.includes(above)),
  );
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
