import type { Untracked } from '../actions/untrack.ts';
import { listedPath, shortList } from '../safe-text.ts';

const maxNamed = 20;

/** How to keep the commits that a detached HEAD has left; empty without such commits. */
export function leftText(commit: string | undefined): string {
  if (commit === undefined) return '';
  return `; HEAD was at ${commit.slice(0, 10)}, which no branch has: git_create_branch with it as base_branch keeps it`;
}

/** The call that tracks the files again as they were. */
export function undoOfUntrack({ unstaged, staged, deleted, lost }: Untracked): string {
  const named = (paths: readonly string[]) => shortList(paths, maxNamed, listedPath);
  if (lost.length > 0 || staged.length > maxNamed || (staged.length > 0 && unstaged.length > maxNamed))
    return `no call undoes it for what was staged or in conflict: ${named([...lost, ...staged])}`;
  if (staged.length === 0) {
    if (deleted.length === 0) return 'git_restore with staged undoes it';
    if (unstaged.length <= maxNamed) return `git_restore with staged of ${named(unstaged)} undoes it`;
    return `git_restore with staged undoes it, and unstages the deletion of ${named(deleted)}`;
  }
  if (unstaged.length === 0) return `git_add of ${named(staged)} undoes it`;
  return `to undo it, git_restore with staged restores ${named(unstaged)}, git_add ${named(staged)}`;
}

/**
 * The call that restores the conflicts of `taken`. It names these paths if a directory was given, which may
 * also contain conflicts that were resolved before.
 */
export function undoOfSide(given: readonly string[], taken: readonly string[]): string {
  if (taken.every((path) => given.includes(path))) return 'side conflict undoes it';
  if (taken.length > maxNamed) return 'side conflict undoes it for one file at a time';
  return `side conflict of ${taken.map(listedPath).join(', ')} undoes it`;
}
