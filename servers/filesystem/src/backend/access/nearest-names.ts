import { readdirSync } from 'node:fs';
import { quoted } from '../display-name.ts';
import { NotFound, type Noun } from '../errors.ts';
import { nameLikenessTo } from '../name-likeness.ts';
import type { OpenedPath } from './path-opener.ts';

/** Directories whose own size in bytes exceeds this are not searched. */
const maxDirectoryBytes = 64 * 1024;
const minLikeness = 0.5;
const maxNames = 3;

/** The error for a name that a directory does not have, with the most similar names that it has. */
export function notFoundIn(
  directory: OpenedPath,
  name: string,
  requestedPath: string,
  noun: Noun = 'file',
): NotFound {
  const names = nearestNames(directory, name).map((each) => quoted(each));
  const hint = names.length > 0 ? `; similar names are ${names.join(', ')}` : '';
  return new NotFound(`No such ${noun}: ${quoted(requestedPath)}`, hint);
}

function nearestNames({ stats, base }: OpenedPath, wanted: string): string[] {
  if (!stats.isDirectory() || stats.size > maxDirectoryBytes) return [];
  const likeness = nameLikenessTo(wanted);
  let names: string[];
  try {
    names = readdirSync(base);
  } catch {
    return [];
  }
  return names
    .map((name) => ({ name, like: likeness(name) }))
    .filter(({ like }) => like >= minLikeness)
    .sort((a, b) => b.like - a.like || (a.name < b.name ? -1 : 1))
    .slice(0, maxNames)
    .map(({ name }) => name);
}
