import type { Command } from '../command.ts';

/** The hashes of revisions, in their order; of ranges, those of both ends and how they are combined. */
export function resolve(...revisions: readonly string[]): Command<string[]> {
  return {
    args: ['rev-parse', '--revs-only', '--end-of-options', ...revisions, '--'],
    parse: ({ stdout }) => stdout.toString('latin1').split('\n').filter(Boolean),
  };
}

/** The object that a name names, whether or not it can be read. */
export function objectOf(name: string): Command<string | undefined> {
  return {
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', name],
    accept: [1, 128],
    parse: ({ stdout, code }) => (code === 0 ? stdout.toString('latin1').trim() : undefined),
  };
}

/** The commit that a revision names, and nothing where there is none. */
export function commitOf(revision: string): Command<string | undefined> {
  return objectOf(`${revision}^{commit}`);
}
