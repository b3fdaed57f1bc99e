import { readlinkSync, type Stats } from 'node:fs';
import { quoted } from '@mcp/kit';
import { leadsTo, visitedPaths } from './visited-paths.ts';
import type { WritableDirectories } from './writable-directories.ts';

/**
 * Returns why the caller of a tool may not see the content of an open file: it may be a file that the agent
 * cannot read, and to which it has led a path by a link. Undefined if the caller may see it.
 */
export function whyHidden(
  path: string,
  writable: WritableDirectories,
  fd: number,
  stats: Stats,
): string | undefined {
  const place = leadsTo(path);
  // The path may lead elsewhere now than when it was opened, so the opened file must be inside, too.
  const outside = [place, placeOf(fd) ?? place].find((each) => !isInside(each, writable));
  if (outside !== undefined) {
    const isLink = visitedPaths(path).length > 1;
    return `${isLink ? `a symbolic link leads to ${quoted(outside, Infinity)}, which is` : 'it is'} outside the writable directories`;
  }
  return stats.nlink > 1
    ? `it has ${stats.nlink} hard links, which may be outside the writable directories`
    : undefined;
}

/** Whether a path without symbolic links is inside a writable directory. */
export function isInside(place: string, writable: WritableDirectories): boolean {
  return writable.holding(place) !== undefined;
}

/** Returns the path of an open file; undefined where the system does not tell it. */
function placeOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
