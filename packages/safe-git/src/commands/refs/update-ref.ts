import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';

const reason = 'undo a cancelled operation';

/** Moves a branch to a commit without checking where the branch is now. The reflog keeps the old commit. */
export function moveBranch(branch: string, commit: string): Command<void> {
  return { kind: 'write', args: argv`update-ref -m ${reason} refs/heads/${branch} ${commit}` };
}

/** Attaches HEAD to a branch without changing the index and the files. */
export function attachHead(branch: string): Command<void> {
  return { kind: 'write', args: argv`symbolic-ref HEAD refs/heads/${branch}` };
}

/** Detaches HEAD at a commit without changing the index and the files. */
export function detachHead(commit: string): Command<void> {
  return { kind: 'write', args: argv`update-ref --no-deref -m ${reason} HEAD ${commit}` };
}
