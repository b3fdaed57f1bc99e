import type { Command } from '../command.ts';
import { fields } from './nul-records.ts';

const maxBytes = 256 * 1024 * 1024;
const options = ['-r', '-z', '--name-only', '--no-renames', '--no-commit-id'];

/** The paths that differ between two commits. */
export function pathsBetween(from: string, to: string): Command<string[]> {
  return {
    args: ['diff-tree', ...options, '--end-of-options', from, to, '--'],
    maxBytes,
    parse: ({ stdout }) => fields(stdout),
  };
}

/**
 * The paths that the second commit has, and the first, or with `mergeBase` their merge base, does not have.
 * Empty if one is unknown.
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

/** The paths that a revision has, and the index does not have. Empty if it is unknown. */
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

/** The untracked files among these, ignored or not. */
export function untrackedAmong(paths: readonly string[]): Command<string[]> {
  return {
    args: ['ls-files', '--others', '-z', '--', ...paths],
    maxBytes,
    parse: ({ stdout }) => fields(stdout),
  };
}

/** The untracked files among these that .gitignore excludes. */
export function ignoredAmong(paths: readonly string[]): Command<string[]> {
  return {
    args: ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', ...paths],
    maxBytes,
    parse: ({ stdout }) => fields(stdout),
  };
}
