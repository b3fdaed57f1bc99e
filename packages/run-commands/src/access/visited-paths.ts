import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';

/** The most symbolic links that Linux follows. */
const maxLinks = 40;

/**
 * The places that are visited when a path is opened: each symbolic link on the way, and at last what they
 * lead to. The directory of each is without links; a part that does not exist ends the way.
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

/** The path without symbolic links. */
export function leadsTo(path: string): string {
  return visitedPaths(path).at(-1)!;
}

/** A directory and all above it, the nearest first. */
export function withParents(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...withParents(above)];
}

/**
 * The directories that lie in no other one: one that does could be replaced by a link, which a sandbox would
 * follow.
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
