import { readdirSync } from 'node:fs';
import { closestNames, quoted } from '@mcp/kit';
import { NotFound, type Noun } from '../errors.ts';
import type { OpenedPath } from '../open/path-opener.ts';

/** Directories whose own size (`st_size`), in bytes, exceeds this are not searched for similar names. */
const maxDirectoryBytes = 64 * 1024;

/** Returns the error for a name that a directory does not have, with the most similar names that it has. */
export function notFoundIn(
  directory: OpenedPath,
  name: string,
  requestedPath: string,
  noun: Noun = 'file',
): NotFound {
  const names = closestNames(name, namesIn(directory)).map((each) => quoted(each));
  const hint = names.length > 0 ? `; similar names are ${names.join(', ')}` : '';
  return new NotFound(`No such ${noun}: ${quoted(requestedPath)}`, hint);
}

function namesIn({ stats, base }: OpenedPath): string[] {
  if (!stats.isDirectory() || stats.size > maxDirectoryBytes) return [];
  try {
    return readdirSync(base).sort();
  } catch {
    return [];
  }
}
