import {
  integrate,
  quit,
  step,
  type Integration,
  type IntegrationOptions,
  type Outcome,
  type Step,
} from '../commands/integrate.ts';
import { unresolvedConflicts } from '../commands/branches.ts';
import { pathsBetween } from '../commands/tree-paths.ts';
import { branchTips, type BranchTip } from '../commands/refs.ts';
import { commitHash, commitsOf, isReferenced } from '../commands/rev-parse.ts';
import { GitStoppedError } from '../process/git-process.ts';
import {
  assertNoAutostash,
  assertNoPrograms,
  isIncomplete,
  operationIn,
} from '../queries/in-progress-operation.ts';
import { readIntegrationState, type IntegrationState } from '../queries/integration-state.ts';
import type { Layout } from '../access/repository-layout.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { recorded, undoInterrupted } from './interrupted-operation.ts';
import { refuseOverwritingIgnored } from './refuse-overwriting-ignored.ts';
import { checkpoint, type Checkpoint } from './checkpoint.ts';
import { undoIntegration } from './undo-integration.ts';

export interface IntegrationResult extends IntegrationState {
  readonly outcome: Outcome;
  /** The commit where HEAD was, if it has moved. */
  readonly before?: string;
  /** Files with local changes that the operation has changed too: moving HEAD back does not restore them. */
  readonly entangled?: readonly string[];
  /** Other branches that a rebase has moved, with `rebase.updateRefs`, and their former commits. */
  readonly alsoMoved?: readonly BranchTip[];
  /** The last commit of an operation that was aborted, if no ref has it. */
  readonly abandoned?: string;
}

/** How many commits of a range are compared with the files that a cancelled operation has left. */
const maxUndone = 100;

/**
 * Merges, rebases, cherry-picks or reverts a revision or, of the last two, a range or several. Conflicts are
 * left to be resolved; a cancelled operation is aborted.
 */
export function startIntegration(
  repository: Repository,
  kind: Integration,
  revisions: readonly string[],
  call: CallOptions & IntegrationOptions,
): Promise<IntegrationResult> {
  return repository.withLock(async () => {
    const layout = await repository.layout();
    const current = operationIn(layout);
    if (current && current !== 'bisect')
      throw new Error(`A ${current} is in progress: continue or abort it first`);
    const command = integrate(kind, revisions, { ...call, trusted: repository.trusted });
    await refuseOverwritingIgnored(repository, kind, revisions, call);
    const { hasConflicts, ...before } = await checkpoint(repository);
    // Git would also refuse, but with the output of an operation that stopped at conflicts.
    if (hasConflicts) throw new Error(unresolvedConflicts);
    const operation = { kind, revisions: await commitsIn(repository, revisions), before };
    await repository.record(recorded(operation));
    const movesOthers = kind === 'rebase' && (await repository.setting('rebase.updaterefs')) !== undefined;
    const tips = movesOthers ? await repository.runLocked(branchTips) : [];
    try {
      const outcome = await repository.runLocked(command, call);
      const state = await readIntegrationState(repository);
      const entangled = movedFrom(before, state) ? await changedSince(repository, before) : undefined;
      if (call.signal?.aborted) throw new GitStoppedError('Cancelled', false, call.signal.reason);
      const alsoMoved = movesOthers ? await movedTips(repository, tips, state.branch) : [];
      return { outcome, ...state, ...(entangled && { before: before.commit!, entangled, alsoMoved }) };
    } catch (error) {
      // When git refuses one of several picks, it keeps its state and the earlier commits.
      if (!(error instanceof GitStoppedError) && operationIn(layout) !== kind) throw error;
      const left = await undoIntegration(repository, kind, operation.revisions, before);
      if (left === '') throw error;
      // A cancelled call gets no answer: git_status reports the operation.
      await repository.record(recorded(operation), { over: true });
      throw new Error(left, { cause: error });
    }
  });
}

/** The branches among these, except that of HEAD, that are now elsewhere. */
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

/** The paths with local changes that HEAD has changed since a checkpoint. */
async function changedSince(repository: Repository, { commit, changed }: Checkpoint): Promise<string[]> {
  if (changed.size === 0) return [];
  const paths = await repository.runLocked(pathsBetween(commit!, 'HEAD'));
  return paths.filter((path) => changed.has(path));
}

/**
 * The hashes of the commits, without unknown ones; empty for an unknown range. Git names the unknown ones
 * later.
 */
async function commitsIn(repository: Repository, revisions: readonly string[]): Promise<string[]> {
  const [range] = revisions.filter((revision) => revision.includes('..'));
  if (range !== undefined) return repository.runLocked(commitsOf(range, maxUndone)).catch(() => []);
  const hashes = await Promise.all(revisions.map((revision) => repository.runLocked(commitHash(revision))));
  return hashes.filter((hash) => hash !== undefined);
}

/** The operation in progress. Throws if this step cannot be its next. */
export function operationTo(action: Step, layout: Layout): Integration {
  const current = operationIn(layout);
  if (!current || current === 'bisect' || current === 'apply')
    throw new Error(`Nothing to ${action}: no merge, rebase, cherry-pick or revert is in progress`);
  if (action === 'skip' && current === 'merge')
    throw new Error('A merge cannot skip a commit: continue or abort it');
  return current;
}

/** Continues an operation that stopped, skips the current commit, or aborts the operation. */
export function resumeIntegration(
  repository: Repository,
  action: Step,
  call: CallOptions,
): Promise<IntegrationResult> {
  return repository.withLock(async () => {
    const layout = await repository.layout();
    if (action === 'abort' && (await undoInterrupted(repository)))
      return { outcome: 'done', ...(await readIntegrationState(repository)) };
    const current = operationTo(action, layout);
    if (!repository.trusted) {
      if (action !== 'abort') assertNoPrograms(layout);
      assertNoAutostash(layout, await repository.settings());
    }
    const head = action === 'abort' ? await repository.runLocked(commitHash('HEAD')) : undefined;
    const outcome = await repository.runLocked(step(current, action), call).catch(async (error: unknown) => {
      // A process that was killed can leave a state without the files that git needs to abort.
      if (action !== 'abort' || !isIncomplete(layout)) throw error;
      await repository.runLocked(quit(current), call);
      return 'done' as const;
    });
    const state = await readIntegrationState(repository);
    const abandoned =
      head !== undefined && head !== state.commit && !(await repository.runLocked(isReferenced(head)));
    return { outcome, ...state, ...(abandoned && { abandoned: head }) };
  });
}
