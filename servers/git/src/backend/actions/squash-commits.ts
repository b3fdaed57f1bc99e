import { commit, type CommitOptions } from '../commands/commit.ts';
import { replaceHead } from '../commands/raw-commits.ts';
import { commitHash, isAncestor } from '../commands/rev-parse.ts';
import { quoted } from '../display-name.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import { operationIn } from '../queries/in-progress-operation.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Replaces the commits after `since` and the staged changes by one commit. Returns the hash of the former
 * HEAD. Runs inside `withLock`. If it fails, HEAD is moved back.
 */
export async function squashCommits(
  repository: Repository,
  since: string,
  options: CommitOptions,
  call: CallOptions,
): Promise<string> {
  const { base, head } = await ancestorOfHead(repository, since, call);
  if (base === head) throw new Error(`Nothing to squash: there is no commit after ${quoted(since)}`);
  try {
    await repository.runLocked(replaceHead(head, base, 'squash'), call);
    await repository.runLocked(commit(options), call);
  } catch (error) {
    await restoreHead(repository, { base, head });
    throw error;
  }
  return head;
}

/** Moves HEAD back, unless another process has moved it. */
async function restoreHead(
  repository: Repository,
  { base, head }: { base: string; head: string },
): Promise<void> {
  const [now, parent] = await Promise.all([
    repository.runLocked(commitHash('HEAD')),
    repository.runLocked(commitHash('HEAD^')),
  ]);
  if (now !== undefined && now !== head && (now === base || parent === base))
    await repository.runLocked(replaceHead(now, head, 'undo a squash'));
}

/** Resolves a revision in the history of HEAD. Throws if it is elsewhere, or an operation is in progress. */
export async function ancestorOfHead(
  repository: Repository,
  revision: string,
  call: CallOptions,
): Promise<{ base: string; head: string }> {
  const current = operationIn(await repository.layout());
  if (current && current !== 'bisect')
    throw new Error(`A ${current} is in progress: continue or abort it first`);
  const [base, head] = await Promise.all([
    repository.runLocked(commitHash(revision), call),
    repository.runLocked(commitHash('HEAD'), call),
  ]);
  if (base === undefined) throw missingError(missing('revision', revision), 128);
  if (head === undefined || !(await repository.runLocked(isAncestor(base, head), call)))
    throw new Error(`Not in the history of HEAD: ${quoted(revision)}`);
  return { base, head };
}
