import { join } from 'node:path';
import { namings } from '../../commands/history/former-names.ts';
import { log, type LogOptions } from '../../commands/history/log.ts';
import { renames } from '../../commands/history/diff.ts';
import type { Repository } from '../../repository.ts';
import { isDirectory } from '../files/untracked-in-the-way.ts';

/** The former path of a file or directory, and the commit that renamed it. */
export interface Origin {
  readonly path: string;
  readonly commit: string;
  /** Whether a directory was renamed. Git follows only files. */
  readonly isDirectory: boolean;
}

/**
 * Returns the former path of `path` if the oldest commit of the log, `oldest`, renamed it. If a filter leaves
 * out commits of the log, the commit that added `path` is tested instead of `oldest`.
 */
export async function renamedFrom(
  repository: Repository,
  path: string,
  options: LogOptions & { readonly oldest: string },
): Promise<Origin | undefined> {
  const { author, grep, changedText, changedRegexp, oldest, ...range } = options;
  const isWhole = [author, grep, changedText, changedRegexp].every((filter) => filter === undefined);
  const added = { ...range, path, max: 1, follow: false, onlyAdded: true };
  const commit = isWhole ? oldest : (await repository.run(log(added)))[0]?.hash;
  if (commit === undefined) return undefined;
  for (const { from, to } of await repository.run(renames(commit))) {
    if (to === path) return { path: from, commit, isDirectory: false };
    const rest = to.startsWith(`${path}/`) ? to.slice(path.length) : undefined;
    if (rest !== undefined && from.endsWith(rest) && !from.startsWith(`${path}/`))
      return { path: from.slice(0, -rest.length), commit, isDirectory: true };
  }
  return undefined;
}

/**
 * The former paths of a file, newest first; empty if it always had this path, and undefined if that is
 * unknown: for a directory, and where the range of commits does not reach the commit that added the file.
 */
export async function formerPaths(
  repository: Repository,
  path: string,
  options: LogOptions,
): Promise<Origin[] | undefined> {
  const { top } = await repository.layout();
  if (isDirectory(join(top, path))) return undefined;
  const found = await repository.run(namings(path, options));
  const former: Origin[] = [];
  let name = path;
  for (const { from, to, commit } of found) {
    if (to !== name || from === undefined) continue;
    former.push({ path: from, commit, isDirectory: false });
    name = from;
  }
  const isKnown = former.length > 0 || found.some(({ to }) => to === path);
  return isKnown ? former : undefined;
}
