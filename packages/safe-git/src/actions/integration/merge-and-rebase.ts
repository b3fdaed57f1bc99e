import { join } from 'node:path';
import {
  integrate,
  quit,
  step,
  type Integration,
  type IntegrationOptions,
  type Outcome,
  type Step,
} from '../../commands/work-tree/integrate.ts';
import { unresolvedConflicts } from '../../commands/refs/branches.ts';
import { pathsBetween } from '../../commands/objects/tree-paths.ts';
import { branchTips, type BranchTip } from '../../commands/refs/refs.ts';
import { commitHash, commitsOf, isReferenced } from '../../commands/objects/rev-parse.ts';
import { GitStoppedError } from '../../process/git-process.ts';
import {
  assertNoAutostash,
  assertNoPrograms,
  isIncomplete,
  operationIn,
  refuseDuringOperation,
} from '../../queries/operation/in-progress-operation.ts';
import { readIntegrationState, type IntegrationState } from '../../queries/operation/integration-state.ts';
import type { Layout } from '../../trust/repository-layout.ts';
import { readSmallFile } from '../../read-small-file.ts';
import type { Repository } from '../../repository.ts';
import { recorded, undoInterrupted } from './interrupted-operation.ts';
import { refuseOverwritingIgnored } from '../../queries/files/untracked-in-the-way.ts';
import { checkpoint, type Checkpoint } from './checkpoint.ts';
import { undoIntegration } from './undo-integration.ts';

export interface IntegrationResult extends IntegrationState {
  readonly outcome: Outcome;
  /** The commit of HEAD before the operation, if the operation has moved HEAD. */
  readonly before?: string;
  /** Files that had local changes and that the operation has changed too. A reset does not restore them. */
  readonly entangled?: readonly string[];
  /** Other branches that a rebase has moved because of `rebase.updateRefs`, with their former commits. */
  readonly alsoMoved?: readonly BranchTip[];
  /** The commit of HEAD before an abort, if no branch or tag has the commit in its history. */
  readonly abandoned?: string;
}

/** How many commits of a range are examined for the files that a cancelled operation may have written. */
const maxUndone = 100;

/**
 * Merges, rebases, cherry-picks (also several commits) or reverts. The operation stops at conflicts, and is
 * undone if it is cancelled.
 */
export function startIntegration(
  repository: Repository,
  kind: Integration,
  revisions: readonly string[],
  options: IntegrationOptions = {},
): Promise<IntegrationResult> {
  return repository.withLock(async () => {
    const layout = await repository.layout();
    refuseDuringOperation(layout);
    const command = integrate(kind, revisions, {
      ...options,
      trusted: repository.trusted,
      signs: repository.signs,
    });
    await refuseOverwritingIgnored(repository, kind, revisions, options);
    const { hasConflicts, ...before } = await checkpoint(repository);
    // Git would refuse too, but its output would look like an operation that stopped at conflicts.
    if (hasConflicts) throw new Error(unresolvedConflicts);
    const operation = { kind, revisions: await commitsIn(repository, revisions), before };
    await repository.record(recorded(operation));
    const movesOthers = kind === 'rebase' && (await repository.setting('rebase.updaterefs')) !== undefined;
    const tips = movesOthers ? await repository.runLocked(branchTips) : [];
    try {
      const outcome = await repository.runLocked(command);
      const state = await readIntegrationState(repository);
      const entangled = movedFrom(before, state) ? await changedSince(repository, before) : undefined;
      const alsoMoved = movesOthers ? await movedTips(repository, tips, state.branch) : [];
      return { outcome, ...state, ...(entangled && { before: before.commit!, entangled, alsoMoved }) };
    } catch (error) {
      // If git refuses one of several commits, the operation and the commits already picked stay. Undo both.
      if (!(error instanceof GitStoppedError) && operationIn(layout) !== kind) throw error;
      const left = await undoIntegration(repository.uncancelled, kind, operation.revisions, before);
      if (left === '') throw error;
      // The client of a cancelled call gets no answer. What is left is recorded, and git_status reports it.
      await repository.record(recorded(operation), { over: true });
      throw new Error(left, { cause: error });
    }
  });
}

/**
 * Returns the branches of `tips` that no longer point to the same commit, except `head`, the branch of HEAD.
 */
async function movedTips(
  repository: Repository,
  tips: readonly BranchTip[],
  head: string | undefined,
): Promise<BranchTip[]> {
  const now = new Map((await repository.runLocked(branchTips)).map(({ name, hash }) => [name, hash]));
  return tips.filter(({ name, hash }) => name !== head && now.get(name) !== hash);
}

function movedFrom({ commit }: Checkpoint, state: IntegrationState): boolean {
  return commit !== undefined && commit !== state.commit && !state.operation;
}

/** Returns the paths with local changes at the checkpoint that also differ between its commit and HEAD. */
async function changedSince(
  repository: Repository,
  { commit, changed }: Pick<Checkpoint, 'commit' | 'changed'>,
): Promise<string[]> {
  if (changed.size === 0) return [];
  const paths = await repository.runLocked(pathsBetween(commit!, 'HEAD'));
  return paths.filter((path) => changed.has(path));
}

/** Returns the hashes of the revisions. An unknown revision is left out, because git reports it later. */
async function commitsIn(repository: Repository, revisions: readonly string[]): Promise<string[]> {
  const [range] = revisions.filter((revision) => revision.includes('..'));
  if (range !== undefined) return repository.runLocked(commitsOf(range, maxUndone)).catch(() => []);
  const hashes = await Promise.all(revisions.map((revision) => repository.runLocked(commitHash(revision))));
  return hashes.filter((hash) => hash !== undefined);
}

/** Returns the operation in progress. Throws if there is none, or if it does not support this step. */
export function operationTo(action: Step, layout: Layout): Integration {
  const current = operationIn(layout);
  if (!current || current === 'bisect' || current === 'apply')
    throw new Error(`Nothing to ${action}: no merge, rebase, cherry-pick or revert is in progress`);
  if (action === 'skip' && current === 'merge')
    throw new Error('A merge cannot skip a commit: continue or abort it');
  return current;
}

/** The commit at which a rebase, or a series of picks, started; undefined if git has not written it. */
function startIn({ gitDir }: Layout): string | undefined {
  const starts = ['rebase-merge/orig-head', 'rebase-apply/orig-head', 'sequencer/head'].map((name) =>
    readSmallFile(join(gitDir, name))?.toString('latin1').trim(),
  );
  return starts.find((start) => start !== undefined && /^[0-9a-f]{40,64}$/.test(start));
}

export function resumeIntegration(repository: Repository, action: Step): Promise<IntegrationResult> {
  const { uncancelled } = repository;
  return repository.withLock(async () => {
    const layout = await repository.layout();
    if (action === 'abort' && (await undoInterrupted(uncancelled)))
      return { outcome: 'done', ...(await readIntegrationState(uncancelled)) };
    const current = operationTo(action, layout);
    if (!repository.trusted) {
      if (action !== 'abort') assertNoPrograms(layout);
      assertNoAutostash(layout, await repository.settings());
    }
    const at = await repository.runLocked(commitHash('HEAD'));
    const head = action === 'abort' ? at : undefined;
    const start = action === 'abort' ? undefined : (startIn(layout) ?? at);
    const movesOthers = current === 'rebase' && (await repository.setting('rebase.updaterefs')) !== undefined;
    const tips = movesOthers ? await repository.runLocked(branchTips) : [];
    const outcome = await repository.runLocked(step(current, action)).catch(async (error: unknown) => {
      // Git cannot abort without some state files, which a killed process may not have written.
      if (action !== 'abort' || !isIncomplete(layout)) throw error;
      await repository.runLocked(quit(current));
      return 'done' as const;
    });
    const state = await readIntegrationState(uncancelled);
    const abandoned =
      head !== undefined && head !== state.commit && !(await uncancelled.runLocked(isReferenced(head)));
    if (start !== undefined && start !== state.commit && !state.operation) {
      const { changed } = await checkpoint(uncancelled);
      const entangled = await changedSince(uncancelled, { commit: start, changed });
      const alsoMoved = movesOthers ? await movedTips(uncancelled, tips, state.branch) : [];
      return { outcome, ...state, before: start, entangled, alsoMoved };
    }
    return { outcome, ...state, ...(abandoned && { abandoned: head }) };
  });
}
