import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../command.ts';
import { diffOptions } from '../commands/diff.ts';
import { commitHash } from '../commands/rev-parse.ts';
import { operationIn } from './in-progress-operation.ts';
import type { CallOptions, Repository } from '../repository.ts';

/**
 * Whether tracked files or the index differ from what git has written when the operation in progress stopped,
 * so that something would be lost if it were aborted. What git has written is the tree AUTO_MERGE, if there
 * were conflicts, and else that of HEAD.
 */
export async function hasResolutions(repository: Repository, { signal }: CallOptions): Promise<boolean> {
  const layout = await repository.layout();
  if (operationIn(layout) === undefined) return false;
  const written = existsSync(join(layout.gitDir, 'AUTO_MERGE')) ? 'AUTO_MERGE' : 'HEAD';
  if (written === 'HEAD' && (await repository.run(commitHash('HEAD'), { signal })) === undefined) return true;
  const differing = await Promise.all([
    repository.run(differsFrom(written), { signal }),
    repository.run(differsFrom(written, { staged: true }), { signal }),
  ]);
  return differing.includes(true);
}

/** Whether the work tree, or what is staged and not in conflict, differs from a tree. */
function differsFrom(tree: string, { staged = false } = {}): Command<boolean> {
  return {
    args: [
      'diff',
      ...diffOptions,
      '--name-only',
      '-z',
      '--diff-filter=u',
      ...(staged ? ['--cached'] : []),
      '--end-of-options',
      tree,
      '--',
    ],
    // At its end git refreshes the index, and would leave its lock if it were stopped.
    parse: ({ stdout }) => stdout.length > 0,
  };
}
