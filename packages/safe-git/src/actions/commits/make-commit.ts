import { commit, type CommitOptions, messageOf } from '../../commands/work-tree/commit.ts';
import { sizeOfCommit, type CommitSize } from '../../commands/history/diff.ts';
import { status, type StatusEntry } from '../../commands/work-tree/status.ts';
import { log, type Commit } from '../../commands/history/log.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { hasStaged } from '../../commands/work-tree/staging.ts';
import { branchOfHead } from '../../queries/operation/head.ts';
import type { Repository } from '../../repository.ts';
import { fixUpCommit } from './fix-up-commit.ts';
import { ancestorOfHead, rewriteCommits, squashCommits } from './rewrite-commits.ts';
import { stageFiles, stageTracked } from '../staging/stage-files.ts';
import { type LineSelection, stageLines } from '../staging/stage-lines.ts';

/** What to commit. All paths and revisions are validated. */
export interface CommitRequest extends Omit<CommitOptions, 'trusted' | 'signs'> {
  readonly paths?: readonly string[] | undefined;
  /** Stages only these lines; `paths` then has exactly one path, that of their file. */
  readonly selection?: LineSelection | undefined;
  /** Stages the changes of all tracked files first. */
  readonly all?: boolean;
  /** Replaces all commits after this revision by one commit. */
  readonly squash?: string | undefined;
  /** Replaces only the message of this revision. */
  readonly reword?: string | undefined;
  /** Adds what is staged to this revision, and copies the commits after it. */
  readonly fixup?: string | undefined;
}

export interface CommitMade {
  readonly commit: Commit;
  readonly branch: string | undefined;
  readonly before: string | undefined;
  /** How many commits after the one that was fixed up were copied. */
  readonly copied: number;
  /**
   * Whether changes may have been staged before the call. If so, the commit must be undone by a soft reset,
   * because another reset would unstage them.
   */
  readonly hadStaged: boolean;
  readonly size: CommitSize;
  readonly left: readonly StatusEntry[];
}

/** Commits the staged changes, or replaces commits of the current branch. */
export function makeCommit(repository: Repository, request: CommitRequest): Promise<CommitMade> {
  // A message or an author that is not valid is refused before anything is staged.
  if (request.fixup === undefined) commandOf(repository, request);
  else if (request.message !== undefined) messageOf(request.message);
  return repository.withLock(async () => {
    const { paths, all, squash, amend, fixup } = request;
    const replaces = amend || (squash ?? fixup) !== undefined;
    const hadStaged = (!paths && !all) || !replaces || (await repository.runLocked(hasStaged));
    await stageFirst(repository, request);
    const { before, made = 'HEAD', copied = 0 } = await commitStaged(repository, request);
    const [[commit], branch, size, { entries }] = await Promise.all([
      repository.runLocked(log({ max: 1, from: made })),
      repository.runLocked(branchOfHead),
      repository.runLocked(sizeOfCommit(made)),
      repository.runLocked(status({ trusted: repository.trusted })),
    ]);
    return { commit: commit!, branch, before, copied, hadStaged, size, left: entries };
  });
}

async function stageFirst(
  repository: Repository,
  { paths, selection, all }: Pick<CommitRequest, 'paths' | 'selection' | 'all'>,
): Promise<void> {
  if (selection) await stageLines(repository, paths![0]!, selection);
  else if (paths) await stageFiles(repository, paths);
  if (all) await stageTracked(repository);
}

interface Committed {
  /** The former commit of HEAD, if commits were replaced. */
  readonly before?: string | undefined;
  /** The new commit; undefined if it is the commit of HEAD. */
  readonly made?: string;
  readonly copied?: number;
}

async function commitStaged(repository: Repository, request: CommitRequest): Promise<Committed> {
  const { squash, reword, fixup, message } = request;
  if (fixup !== undefined) {
    const { commit: made, ...others } = await fixUpCommit(repository, fixup, message);
    return { made, ...others };
  }
  if (reword !== undefined) {
    const ends = await ancestorOfHead(repository, reword);
    const { before } = await rewriteCommits(repository, ends, { what: 'reword', message });
    return { before };
  }
  const command = commandOf(repository, request);
  if (squash !== undefined) return { before: await squashCommits(repository, squash, command) };
  const before = request.amend ? await repository.runLocked(commitHash('HEAD')) : undefined;
  await repository.runLocked(command);
  return { before };
}

function commandOf({ trusted, signs }: Repository, request: CommitRequest) {
  return commit({ ...request, trusted, signs });
}
