import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { line, lines, succeeded } from '../../parse/printed.ts';

/** Resolves revisions to hashes. A range gives two hashes; the hash of its excluded end begins with `^`. */
export function resolveRevisions(...revisions: readonly string[]): Command<string[]> {
  return { args: argv`rev-parse --revs-only --end-of-options ${revisions} --`, parse: lines };
}

/** Resolves a name to the hash of an object; undefined if unknown. The object itself need not be readable. */
export function objectHash(name: string): Command<string | undefined> {
  return { args: argv`rev-parse --verify --quiet --end-of-options ${name}`, accept: [1, 128], parse: line };
}

/** HEAD's hash, shortened to 10 or, if ambiguous, more digits. Undefined before the first commit. */
export const shortHead: Command<string | undefined> = {
  args: argv`rev-parse --verify --quiet --short=10 HEAD`,
  accept: [1],
  parse: line,
};

/** The hashes of the commits of a range, newest first, at most `max`. */
export function commitsOf(range: string, max: number): Command<string[]> {
  return { args: argv`rev-list --max-count=${max} --end-of-options ${range} --`, parse: lines };
}

/** Whether the commit `older` is in the history of `newer`, or is the same commit. */
export function isAncestor(older: string, newer: string): Command<boolean> {
  return { args: argv`merge-base --is-ancestor ${older} ${newer}`, accept: [1], parse: succeeded };
}

/** Whether a commit is in the history of a ref other than `except`, or of any reflog entry. */
export function isKept(commit: string, { except }: { readonly except: string }): Command<boolean> {
  return inHistoryOf(commit, [`--exclude=${except}`, '--all', '--reflog']);
}

/** Whether a commit is in the history of a branch, a remote branch or a tag. */
export function isReferenced(commit: string): Command<boolean> {
  return inHistoryOf(commit, ['--branches', '--remotes', '--tags']);
}

function inHistoryOf(commit: string, refs: readonly string[]): Command<boolean> {
  return {
    args: argv`rev-list --max-count=1 ${commit} --not ${refs} --`,
    parse: ({ stdout }) => stdout.length === 0,
  };
}

/** Resolves a revision to the hash of its commit; undefined if it is unknown. */
export function commitHash(revision: string): Command<string | undefined> {
  return objectHash(`${revision}^{commit}`);
}
