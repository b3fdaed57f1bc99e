import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '@mcp/kit';
import { digestOf, skillLimits } from '@mcp/skills';

/** The maximum number of entries in the directory of an installed skill, those of the user included. */
const maxEntries = 10_000;

/**
 * The digest of each file in a directory, by path; an entry that cannot be a file of a skill, such as a link
 * or a file that is too large, has its kind instead. Rejects with an `Error` for more than 10,000 entries.
 */
export async function digestsIn(directory: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const paths: string[][] = [[]];
  let count = 0;
  for (let path = paths.pop(); path; path = paths.pop()) {
    for (const entry of readdirSync(join(directory, ...path), { withFileTypes: true })) {
      if (++count > maxEntries) throw new Error(`"${directory}" has more than ${maxEntries} entries`);
      const own = [...path, entry.name];
      if (entry.isDirectory()) paths.push(own);
      else found.set(own.join('/'), await digestOrKind(join(directory, ...own), entry));
    }
  }
  return found;
}

async function digestOrKind(file: string, entry: Dirent): Promise<string> {
  if (entry.isSymbolicLink()) return 'a link';
  if (!entry.isFile()) return 'a special file';
  if (lstatSync(file).size > skillLimits.bytes) return 'a large file';
  return digestOf(Uint8Array.from(readFileSync(file)));
}

export type Change = readonly [kind: 'new' | 'changed' | 'removed', path: string];

/** How files differ: each path with a change. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly Change[] {
  const paths = [...new Set([...before.keys(), ...now.keys()])].toSorted();
  return paths
    .filter((path) => before.get(path) !== now.get(path))
    .map((path) => [!before.has(path) ? 'new' : now.has(path) ? 'changed' : 'removed', path]);
}

/** Whether there is an entry at a path, a link to nothing included. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
