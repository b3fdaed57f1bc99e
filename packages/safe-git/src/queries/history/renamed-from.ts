import { log, type LogOptions } from '../../commands/history/log.ts';
import { renames } from '../../commands/history/diff.ts';
import type { Repository } from '../../repository.ts';

/** The former path of a file or directory, and the commit that renamed it. */
export interface Origin {
  readonly path: string;
  readonly commit: string;
}

/**
 * Returns the former path, if the log ends at the commit `oldest` that renamed it. If a filter leaves out
 * commits, the commit that added the path takes its place.
 */
export async function renamedFrom(
  repository: Repository,
  path: string,
  options: LogOptions & { readonly oldest: string },
): Promise<Origin | undefined> {
  const { author, grep, changedText, changedRegexp, oldest, ...range } = options;
  const isWhole = [author, grep, changedText, changedRegexp].every((filter) => filter === undefined);
  const added = { ...range, path, max: 1, onlyAdded: true };
  const commit = isWhole ? oldest : (await repository.run(log(added)))[0]?.hash;
  if (commit === undefined) return undefined;
  for (const { from, to } of await repository.run(renames(commit))) {
    if (to === path) return { path: from, commit };
    const rest = to.startsWith(`${path}/`) ? to.slice(path.length) : undefined;
    if (rest !== undefined && from.endsWith(rest) && !from.startsWith(`${path}/`))
      return { path: from.slice(0, -rest.length), commit };
  }
  return undefined;
}
