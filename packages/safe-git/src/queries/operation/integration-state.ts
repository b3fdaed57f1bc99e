import { commitHash } from '../../commands/objects/rev-parse.ts';
import { log, type Commit } from '../../commands/history/log.ts';
import { status } from '../../commands/work-tree/status.ts';
import type { Repository } from '../../repository.ts';
import { readTip } from './head.ts';
import { operationIn, type Operation } from './in-progress-operation.ts';

/** The state of a repository after an operation has finished or stopped. */
export interface IntegrationState {
  readonly commit?: string;
  readonly branch?: string;
  readonly operation?: Operation;
  /** Whether nothing is staged or in conflict, so that there is nothing to commit. */
  readonly isEmpty: boolean;
  /** The commit at which a rebase, a cherry-pick or a revert has stopped. */
  readonly stoppedAt?: Commit;
  /** The paths in conflict; `sides` is git's code for the changes of both sides, such as `UU`. */
  readonly conflicts: readonly { readonly path: string; readonly sides: string }[];
}

export async function readIntegrationState(repository: Repository): Promise<IntegrationState> {
  const [{ commit, branch }, { entries }, layout] = await Promise.all([
    readTip(repository),
    repository.runLocked(status()),
    repository.layout(),
  ]);
  const current = operationIn(layout);
  // A bisect does not count, because it just goes on after a merge.
  const operation = current === 'bisect' ? undefined : current;
  const stoppedAt = operation && (await stoppedCommit(repository, operation));
  return {
    ...(stoppedAt && { stoppedAt }),
    ...(commit !== undefined && { commit }),
    ...(branch !== undefined && { branch }),
    ...(operation && { operation }),
    isEmpty: entries.every(({ staged, conflict }) => staged === undefined && conflict === undefined),
    conflicts: entries.flatMap(({ path, conflict }) =>
      conflict === undefined ? [] : [{ path, sides: conflict }],
    ),
  };
}

const headOf: { readonly [operation: string]: string } = {
  rebase: 'REBASE_HEAD',
  'cherry-pick': 'CHERRY_PICK_HEAD',
  revert: 'REVERT_HEAD',
};

async function stoppedCommit(repository: Repository, operation: Operation): Promise<Commit | undefined> {
  const head = headOf[operation];
  if (head === undefined) return undefined;
  const hash = await repository.runLocked(commitHash(head));
  return hash === undefined ? undefined : (await repository.runLocked(log({ from: hash, max: 1 })))[0];
}
