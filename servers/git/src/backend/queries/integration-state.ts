import { commitOf } from '../commands/rev-parse.ts';
import { status } from '../commands/status.ts';
import { branchOfHead } from './head.ts';
import { operationIn, type Operation } from './in-progress-operation.ts';
import type { Caller, Repository } from '../repository.ts';

/** Where something that can stop at conflicts has come to. */
export interface State {
  readonly commit?: string;
  readonly branch?: string;
  readonly operation?: Operation;
  readonly conflicts: readonly { readonly path: string; readonly sides: string }[];
}

export async function readState(repository: Repository, caller?: Caller): Promise<State> {
  const [commit, branch, { entries }, layout] = await Promise.all([
    repository.now(commitOf('HEAD'), caller),
    repository.now(branchOfHead, caller),
    repository.now(status(), caller),
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
