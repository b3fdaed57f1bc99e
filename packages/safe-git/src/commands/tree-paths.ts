import type { Command } from '../command.ts';
import { fields, pathList } from '../parse/nul-records.ts';

const maxBytes = 256 * 1024 * 1024;
const options = ['-r', '-z', '--name-only', '--no-renames', '--no-commit-id'];

/** The paths that differ between two commits. */
export function pathsBetween(from: string, to: string): Command<string[]> {
  return pathList(['diff-tree', ...options, '--end-of-options', from, to, '--']);
}

/**
 * The paths that the commit `to` has, and that `from` or, with `mergeBase`, the merge base of both does not
 * have. Empty if a commit is unknown.
 */
export function addedPaths(from: string, to: string, { mergeBase = false } = {}): Command<string[]> {
  return {
    args: [
      'diff-tree',
      ...options,
      '--diff-filter=A',
      ...(mergeBase ? ['--merge-base'] : []),
      '--end-of-options',
      from,
      to,
      '--',
    ],
    accept: [128],
    maxBytes,
    parse: ({ code, stdout }) => (code === 0 ? fields(stdout) : []),
  };
}

/** The paths that a revision has, and the index does not have. Empty if the revision is unknown. */
export function notInIndex(revision: string): Command<string[]> {
  return {
    args: [
      'diff-index',
      '--cached',
      '-z',
      '--name-only',
      '--no-renames',
      '--diff-filter=D',
      '--ignore-submodules=dirty',
      revision,
      '--',
    ],
    accept: [128],
    maxBytes,
    parse: ({ code, stdout }) => (code === 0 ? fields(stdout) : []),
  };
}

/** The untracked files at these paths, ignored or not. */
export function untrackedAmong(paths: readonly string[]): Command<string[]> {
  return pathList(['ls-files', '--others', '-z', '--', ...paths]);
}

/** The untracked files at these paths that .gitignore excludes. */
export function ignoredAmong(paths: readonly string[]): Command<string[]> {
  return pathList(['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', ...paths]);
}
