import {
  integrate,
  quit,
  step,
  type Integration,
  type IntegrationOptions,
  type Outcome,
  type Step,
} from '../commands/integrate.ts';
import { commitHash, commitsOf } from '../commands/rev-parse.ts';
import { GitStoppedError } from '../process/git-process.ts';
import {
  assertNoAutostash,
  assertNoPrograms,
  isIncomplete,
  operationIn,
} from '../queries/in-progress-operation.ts';
import { readIntegrationState, type IntegrationState } from '../queries/integration-state.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { checkpoint, undoIntegration } from './undo-integration.ts';

export interface IntegrationResult extends IntegrationState {
  readonly outcome: Outcome;
  /** The commit where HEAD was, if it has moved. */
  readonly before?: string;
}

function resultOf(outcome: Outcome, state: IntegrationState, before: string | undefined): IntegrationResult {
  const moved = before !== undefined && before !== state.commit && !state.operation;
  return { outcome, ...state, ...(moved && { before }) };
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
    const before = await checkpoint(repository);
    try {
      const outcome = await repository.runLocked(command, call);
      return resultOf(outcome, await readIntegrationState(repository), before.commit);
    } catch (error) {
      if (error instanceof GitStoppedError)
        await undoIntegration(repository, kind, await commitsIn(repository, revisions), before);
      throw error;
    }
  });
}

async function commitsIn(repository: Repository, revisions: readonly string[]): Promise<string[]> {
  const [range] = revisions.filter((revision) => revision.includes('..'));
  return range === undefined ? [...revisions] : repository.runLocked(commitsOf(range, maxUndone));
}

/** Continues an operation that stopped, skips the current commit, or aborts the operation. */
export function resumeIntegration(
  repository: Repository,
  action: Step,
  call: CallOptions,
): Promise<IntegrationResult> {
  return repository.withLock(async () => {
    const layout = await repository.layout();
    const current = operationIn(layout);
    if (!current || current === 'bisect' || current === 'apply') {
      throw new Error(`Nothing to ${action}: no merge, rebase, cherry-pick or revert is in progress`);
    }
    if (action === 'skip' && current === 'merge')
      throw new Error('A merge cannot skip a commit: continue or abort it');
    if (!repository.trusted) {
      if (action !== 'abort') assertNoPrograms(layout);
      assertNoAutostash(layout, await repository.settings());
    }
    const before = action === 'abort' ? await repository.runLocked(commitHash('HEAD')) : undefined;
    const outcome = await repository.runLocked(step(current, action), call).catch(async (error: unknown) => {
      // A process that was killed can leave a state without the files that git needs to abort.
      if (action !== 'abort' || !isIncomplete(layout)) throw error;
      await repository.runLocked(quit(current), call);
      return 'done' as const;
    });
    return resultOf(outcome, await readIntegrationState(repository), before);
  });
}
