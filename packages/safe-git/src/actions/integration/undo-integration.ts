import { messageOf } from '@mcp/kit';
import type { Integration } from '../../commands/work-tree/integrate.ts';
import { applyStash } from '../../commands/work-tree/stash.ts';
import { escapeName } from '../../safe-text.ts';
import {
  autostashOf,
  operationIn,
  removeOperationFiles,
} from '../../queries/operation/in-progress-operation.ts';
import type { Repository } from '../../repository.ts';
import { checkpoint, restoreHead, type Checkpoint } from './checkpoint.ts';
import { restoreWrittenFiles } from './restore-written-files.ts';

/**
 * Undoes an operation that was stopped at any point. Git's own `--abort` is not used, because it needs a
 * complete state directory, and mistakes files that a killed git has written for changes of the user. Returns
 * a text about the changes that could not be undone; empty if all were undone.
 */
export async function undoIntegration(
  repository: Repository,
  kind: Integration,
  revisions: readonly string[],
  before: Checkpoint,
): Promise<string> {
  const layout = await repository.layout();
  const autostash = autostashOf(layout);
  removeOperationFiles(layout, before.operationFiles);
  const problems: string[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => problems.push(messageOf(error)));
  };
  await attempt(() => restoreHead(repository, before));
  await attempt(() => restoreWrittenFiles(repository, revisions, before));
  if (autostash !== undefined) await attempt(() => applyAutostash(repository, autostash));
  const left = await remains(repository, before);
  return left === ''
    ? ''
    : [`The ${kind} was stopped, and could not be undone`, left, ...problems].join('; ');
}

async function applyAutostash(repository: Repository, commit: string): Promise<void> {
  const outcome = await repository.runLocked(applyStash('apply', commit));
  if (outcome !== 'applied')
    throw new Error(`the local changes are in the stash commit ${commit.slice(0, 10)}, which can be applied`);
}

export async function remains(repository: Repository, before: Checkpoint): Promise<string> {
  const now = await checkpoint(repository);
  const operation = operationIn(await repository.layout());
  const files = [...now.changed].filter((path) => !before.changed.has(path));
  return [
    ...(operation ? [`a ${operation} is in progress, and can be aborted`] : []),
    ...(now.branch !== before.branch || now.commit !== before.commit
      ? [`HEAD was ${describe(before)} and is ${describe(now)}`]
      : []),
    ...(files.length > 0 ? [`changed files: ${files.slice(0, 10).map(escapeName).join(', ')}`] : []),
  ].join('; ');
}

function describe({ branch, commit }: Checkpoint): string {
  return `${branch === undefined ? 'detached' : escapeName(branch)} at ${commit?.slice(0, 10) ?? 'no commit'}`;
}
