import { attachHead, detachHead, moveBranch } from '../../commands/refs/update-ref.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { status } from '../../commands/work-tree/status.ts';
import { readTip } from '../../queries/operation/head.ts';
import { operationFiles } from '../../queries/operation/in-progress-operation.ts';
import type { Repository } from '../../repository.ts';

/** The state of a repository before an operation, which is restored if the operation is cancelled. */
export interface Checkpoint {
  readonly branch: string | undefined;
  readonly commit: string | undefined;
  /** The paths that had local changes before. Undoing the operation does not touch these files. */
  readonly changed: ReadonlySet<string>;
  /** The files in the git directory that earlier operations left. Undoing this operation keeps them. */
  readonly operationFiles: readonly string[];
}

/** Reads the present state of the repository. `hasConflicts` tells whether files are in conflict. */
export async function checkpoint(
  repository: Repository,
): Promise<Checkpoint & { readonly hasConflicts: boolean }> {
  const [{ branch, commit }, { entries }] = await Promise.all([
    readTip(repository),
    repository.runLocked(status({ trusted: repository.trusted })),
  ]);
  const changed = entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const files = operationFiles(await repository.layout());
  const hasConflicts = entries.some(({ conflict }) => conflict !== undefined);
  return { branch, commit, changed: new Set(changed), operationFiles: files, hasConflicts };
}

/** Moves HEAD back to `branch`, and `branch` back to `commit`. If HEAD was detached, moves only HEAD. */
export async function restoreHead(
  repository: Repository,
  { branch, commit }: Pick<Checkpoint, 'branch' | 'commit'>,
): Promise<void> {
  const { branch: head, commit: headCommit } = await readTip(repository);
  if (branch === undefined) {
    if (commit !== undefined && (head !== undefined || headCommit !== commit))
      await repository.runLocked(detachHead(commit));
    return;
  }
  const tip = await repository.runLocked(commitHash(`refs/heads/${branch}`));
  if (commit !== undefined && tip !== commit) await repository.runLocked(moveBranch(branch, commit));
  if (head !== branch) await repository.runLocked(attachHead(branch));
}
