import type { Command } from '../command.ts';

/**
 * Resolves revisions to hashes, in order; a range gives a hash for each end, with `^` before an excluded one.
 */
export function resolveRevisions(...revisions: readonly string[]): Command<string[]> {
  return {
    args: ['rev-parse', '--revs-only', '--end-of-options', ...revisions, '--'],
    parse: ({ stdout }) => stdout.toString('latin1').split('\n').filter(Boolean),
  };
}

/** Resolves a name to the hash of an object, which need not be readable; undefined if the name is unknown. */
export function objectHash(name: string): Command<string | undefined> {
  return {
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', name],
    accept: [1, 128],
    parse: ({ stdout, code }) => (code === 0 ? stdout.toString('latin1').trim() : undefined),
  };
}

/**
 * The hash of HEAD, shortened to 10 digits or, where they are ambiguous, more;
 * undefined before the first commit.
 */
export const shortHead: Command<string | undefined> = {
  args: ['rev-parse', '--verify', '--quiet', '--short=10', 'HEAD'],
  accept: [1],
  parse: ({ code, stdout }) => (code === 0 ? stdout.toString('latin1').trim() : undefined),
};

/** The hashes of the commits of a range, newest first, at most `max`. */
export function commitsOf(range: string, max: number): Command<string[]> {
  return {
    args: ['rev-list', `--max-count=${max}`, '--end-of-options', range, '--'],
    parse: ({ stdout }) => stdout.toString('latin1').split('\n').filter(Boolean),
  };
}

/** Whether a commit is in the history of another, or is that commit itself. */
export function isAncestor(older: string, newer: string): Command<boolean> {
  return {
    args: ['merge-base', '--is-ancestor', older, newer],
    accept: [1],
    parse: ({ code }) => code === 0,
  };
}

/** Whether a commit is in the history of any ref other than `except`, or of an entry of a reflog. */
export function isKept(commit: string, { except }: { readonly except: string }): Command<boolean> {
  return {
    args: ['rev-list', '--max-count=1', commit, '--not', `--exclude=${except}`, '--all', '--reflog', '--'],
    parse: ({ stdout }) => stdout.length === 0,
  };
}

/** Whether a commit is in the history of a branch, a remote branch or a tag. */
export function isReferenced(commit: string): Command<boolean> {
  return {
    args: ['rev-list', '--max-count=1', commit, '--not', '--branches', '--remotes', '--tags', '--'],
    parse: ({ stdout }) => stdout.length === 0,
  };
}

/** Resolves a revision to the hash of its commit; undefined if it is unknown. */
export function commitHash(revision: string): Command<string | undefined> {
  return objectHash(`${revision}^{commit}`);
}
