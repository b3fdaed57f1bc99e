import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { lines } from '../../parse/printed.ts';
import { log, type Commit } from '../../commands/history/log.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { isShallow, operationIn, type Operation } from './in-progress-operation.ts';
import type { Repository } from '../../repository.ts';

export interface Head {
  /** The name of the branch; undefined if HEAD is detached. */
  readonly branch?: string;
  /** The commit of HEAD; undefined before the first commit. */
  readonly commit?: Commit;
  readonly detached: boolean;
  readonly operation?: Operation;
  readonly shallow?: true;
}

export const branchOfHead: Command<string | undefined> = {
  args: argv`symbolic-ref --quiet HEAD`,
  accept: [1],
  parse: (output) => lines(output)[0]?.replace(/^refs\/heads\//, ''),
};

export async function readHead(repository: Repository): Promise<Head> {
  const [branch, hash, layout] = await Promise.all([
    repository.run(branchOfHead),
    repository.run(commitHash('HEAD')),
    repository.layout(),
  ]);
  const [commit] = hash === undefined ? [] : await repository.run(log({ from: hash, max: 1 }));
  const operation = operationIn(layout);
  return {
    ...(branch !== undefined && { branch }),
    ...(commit && { commit }),
    detached: branch === undefined,
    ...(operation && { operation }),
    ...(isShallow(layout) && { shallow: true as const }),
  };
}
