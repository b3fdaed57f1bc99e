import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';

/** The maximum number of symbolic links that are followed, as on Linux. */
const maxLinks = 40;

/**
 * Returns the paths that the system visits when it opens `path`: each symbolic link on the way, then the
 * final target. The directory of each returned path has no symbolic links. A part that does not exist counts
 * as no link.
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
 * Returns the directories that are in none of the others. An inner directory is left out, because the agent
 * could replace it by a symbolic link, which a sandbox would follow.
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
