import { commit, type CommitOptions } from '../../commands/work-tree/commit.ts';
import { sizeOfCommit, type CommitSize } from '../../commands/history/diff.ts';
import { status, type StatusEntry } from '../../commands/work-tree/status.ts';
import { log, type Commit } from '../../commands/history/log.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { hasStaged } from '../../commands/work-tree/staging.ts';
import { branchOfHead } from '../../queries/operation/head.ts';
import type { Repository } from '../../repository.ts';
import { rewordCommit, squashCommits } from './rewrite-commits.ts';
import { stageFiles, stageTracked } from '../staging/stage-files.ts';

/** What to commit. All paths and revisions are validated. */
export interface CommitRequest extends Omit<CommitOptions, 'trusted' | 'signs'> {
  readonly paths?: readonly string[] | undefined;
  /** Stages the changes of all tracked files first. */
  readonly all?: boolean;
  /** Replaces all commits after this revision by one commit. */
  readonly squash?: string | undefined;
  /** Replaces only the message of this revision. */
  readonly reword?: string | undefined;
}

export interface CommitMade {
  readonly commit: Commit;
  readonly branch: string | undefined;
  readonly before: string | undefined;
  /** Whether other changes were staged before. If so, only a soft reset undoes the commit and keeps them. */
  readonly hadStaged: boolean;
  readonly size: CommitSize;
  readonly left: readonly StatusEntry[];
}

/** Commits the staged changes, or replaces commits of the current branch. */
export function makeCommit(repository: Repository, request: CommitRequest): Promise<CommitMade> {
  const { paths, all, squash, reword, ...rest } = request;
  const options = { ...rest, trusted: repository.trusted, signs: repository.signs };
  const command = commit(options);
  return repository.withLock(async () => {
    const replaces = options.amend || squash !== undefined;
    const hadStaged = (!paths && !all) || !replaces || (await repository.runLocked(hasStaged));
    if (paths) await stageFiles(repository, paths);
    if (all) await stageTracked(repository);
    let before: string | undefined;
    if (reword !== undefined) before = await rewordCommit(repository, reword, options.message);
    else if (squash !== undefined) before = await squashCommits(repository, squash, options);
    else {
      if (options.amend) before = await repository.runLocked(commitHash('HEAD'));
      await repository.runLocked(command);
    }
    const [[made], branch, size, { entries }] = await Promise.all([
      repository.runLocked(log({ max: 1 })),
      repository.runLocked(branchOfHead),
      repository.runLocked(sizeOfCommit('HEAD')),
      repository.runLocked(status({ trusted: repository.trusted })),
    ]);
    return { commit: made!, branch, before, hadStaged, size, left: entries };
  });
}
