import { commitHash } from '../commands/rev-parse.ts';
import { status } from '../commands/status.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { branchOfHead } from './head.ts';
import { operationIn, type Operation } from './in-progress-operation.ts';

/** Where an operation that can stop at conflicts is. */
export interface IntegrationState {
  readonly commit?: string;
  readonly branch?: string;
  readonly operation?: Operation;
  /** `sides` is git's code, such as `UU`. */
  readonly conflicts: readonly { readonly path: string; readonly sides: string }[];
}

export async function readIntegrationState(
  repository: Repository,
  call?: CallOptions,
): Promise<IntegrationState> {
  const [commit, branch, { entries }, layout] = await Promise.all([
    repository.runLocked(commitHash('HEAD'), call),
    repository.runLocked(branchOfHead, call),
    repository.runLocked(status(), call),
    repository.layout(),
  ]);
  const operation = operationIn(layout);
  return {
    ...(commit !== undefined && { commit }),
    ...(branch !== undefined && { branch }),
    ...(operation && { operation }),
    conflicts: entries.flatMap(({ path, conflict }) =>
      conflict === undefined ? [] : [{ path, sides: conflict }],
    ),
  };
}
