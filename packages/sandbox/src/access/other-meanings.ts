import { lstatSync, readdirSync } from 'node:fs';
import { basename, isAbsolute, sep } from 'node:path';
import type { AllowedDirectory } from './allowed-directory.ts';
import type { RequestedPath } from './requested-path.ts';

/** The maximum number of entries of an allowed directory that are searched for repositories. */
const maxEntries = 1_000;

/**
 * Returns the other paths that a client can mean by a relative path that does not exist in the first allowed
 * directory: relative to another allowed directory, beginning with the name of an allowed directory, or
 * relative to a repository in an allowed directory. Other servers with the same directories print paths in
 * these forms.
 */
export function otherMeanings(
  { text, remainder }: RequestedPath,
  directories: readonly AllowedDirectory[],
): RequestedPath[] {
  if (isAbsolute(text) || /^\.{1,2}(?:[/\\]|$)/.test(text)) return [];
  const [first = '', ...rest] = remainder.split(sep);
  return directories.flatMap((directory, index) => {
    const named = basename(directory.name) === first ? [rest.join(sep)] : [];
    const other = index > 0 ? [remainder] : [];
    const inRepositories = repositoriesIn(directory).map((name) => `${name}${sep}${remainder}`);
    return [...named, ...other, ...inRepositories].map((each) => ({ text, directory, remainder: each }));
  });
}

/** The names of the repositories directly inside a directory. */
function repositoriesIn(directory: AllowedDirectory): string[] {
  try {
    return readdirSync(directory.pathTo(''), { withFileTypes: true })
      .slice(0, maxEntries)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .filter((name) => lstatSync(directory.pathTo(`${name}/.git`), { throwIfNoEntry: false }));
  } catch {
    // A directory that cannot be read has no repository that could be meant.
    return [];
  }
}
