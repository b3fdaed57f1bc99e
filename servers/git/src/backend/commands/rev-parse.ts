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

/** Resolves a revision to the hash of its commit; undefined if it is unknown. */
export function commitHash(revision: string): Command<string | undefined> {
  return objectHash(`${revision}^{commit}`);
}
