import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { lines } from '../../parse/printed.ts';
import { log, type Commit } from '../../commands/history/log.ts';
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

const tipOfHead: Command<readonly string[]> = {
  args: argv`rev-parse --revs-only HEAD^{commit} --symbolic-full-name HEAD --`,
  accept: [128],
  parse: lines,
};

/** The name of the branch of HEAD, and the hash of its commit; each is undefined if there is none. */
export async function readTip(
  repository: Repository,
): Promise<{ readonly branch: string | undefined; readonly commit: string | undefined }> {
  const printed = await repository.run(tipOfHead);
  const commit = printed.find((each) => /^[0-9a-f]{40,64}$/.test(each));
  const ref = printed.find((each) => each !== commit);
  if (commit !== undefined && ref === 'HEAD') return { branch: undefined, commit };
  if (commit !== undefined && ref?.startsWith('refs/heads/')) return { branch: ref.slice(11), commit };
  // Before the first commit, or if another ref is named HEAD, the command above does not print the branch.
  return { branch: await repository.run(branchOfHead), commit };
}

export async function readHead(repository: Repository): Promise<Head> {
  const [{ branch, commit: hash }, layout] = await Promise.all([readTip(repository), repository.layout()]);
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
