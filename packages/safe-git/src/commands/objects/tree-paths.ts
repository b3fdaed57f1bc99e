import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { pathList } from '../../parse/nul-records.ts';

const options = argv`-r -z --name-only --no-renames --no-commit-id`;

/** The paths that differ between two commits. A renamed file gives two paths. */
export function pathsBetween(from: string, to: string): Command<string[]> {
  return pathList(argv`diff-tree ${options} --end-of-options ${from} ${to} --`);
}

/** The paths that exist in the commit `to`, but not in `from`. Empty for unknown commits. */
export function addedPaths(from: string, to: string): Command<string[]> {
  return pathList(argv`diff-tree ${options} --diff-filter=A --end-of-options ${from} ${to} --`, [128]);
}

/**
 * The paths that `to` has with another content than `from` or, with `mergeBase`, than the merge base of the
 * two. Empty for unknown commits.
 */
export function writtenPaths(from: string, to: string, { mergeBase = false } = {}): Command<string[]> {
  const base = mergeBase && '--merge-base';
  return pathList(
    argv`diff-tree ${options} --diff-filter=d ${base} --end-of-options ${from} ${to} --`,
    [128],
  );
}

/** The paths that exist in a revision but not in the index. Empty if the revision is unknown. */
export function notInIndex(revision: string): Command<string[]> {
  const filter = ['--diff-filter=D', '--ignore-submodules=dirty'];
  return pathList(argv`diff-index --cached -z --name-only --no-renames ${filter} ${revision} --`, [128]);
}

/** The untracked files at these paths, including ignored files. */
export function untrackedAmong(paths: readonly string[]): Command<string[]> {
  return pathList(argv`ls-files --others -z -- ${paths}`);
}

/** The untracked files at these paths that .gitignore excludes. */
export function ignoredAmong(paths: readonly string[]): Command<string[]> {
  return pathList(argv`ls-files --others --ignored --exclude-standard -z -- ${paths}`);
}
