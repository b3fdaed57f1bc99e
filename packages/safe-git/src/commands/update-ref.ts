import type { Command } from '../command.ts';

/** Moves a branch to a commit, wherever the branch is now; the reflog keeps the old commit. */
export function moveBranch(branch: string, commit: string): Command<void> {
  return {
    kind: 'write',
    args: ['update-ref', '-m', 'undo a cancelled operation', `refs/heads/${branch}`, commit],
  };
}

/** Attaches HEAD to a branch without changing the index and the files. */
export function attachHead(branch: string): Command<void> {
  return { kind: 'write', args: ['symbolic-ref', 'HEAD', `refs/heads/${branch}`] };
}

/** Detaches HEAD at a commit without changing the index and the files. */
export function detachHead(commit: string): Command<void> {
  return {
    kind: 'write',
    args: ['update-ref', '--no-deref', '-m', 'undo a cancelled operation', 'HEAD', commit],
  };
}
