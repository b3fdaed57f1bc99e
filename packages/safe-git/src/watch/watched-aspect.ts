import { createHash } from 'node:crypto';
import type { Command } from '../command.ts';
import { diffArgs } from '../commands/history/diff.ts';
import { refDetails, refNames } from '../commands/refs/refs.ts';
import { commitHash } from '../commands/objects/rev-parse.ts';
import { status } from '../commands/work-tree/status.ts';
import { readTip } from '../queries/operation/head.ts';
import { operationIn } from '../queries/operation/in-progress-operation.ts';
import type { Repository } from '../repository.ts';

/** The parts of a repository that can be watched. */
export type Aspect = 'head' | 'log' | 'status' | 'branches' | 'tags' | 'refs' | 'staged' | 'unstaged';

/** Whether the aspect depends on files of the work tree. */
export function needsWorkTree(aspect: Aspect): boolean {
  return aspect === 'status' || aspect === 'unstaged';
}

/** Returns a text that changes if, and only if, the aspect changes. */
export async function identityOf(repository: Repository, aspect: Aspect): Promise<string> {
  const layout = await repository.layout();
  switch (aspect) {
    case 'head': {
      const { branch, commit } = await readTip(repository);
      return [branch, commit, operationIn(layout)].join(' ');
    }
    case 'log':
      return (await repository.run(commitHash('HEAD'))) ?? 'none';
    case 'status': {
      const { branch, entries, stashes } = await repository.run(status({ trusted: repository.trusted }));
      return JSON.stringify([branch, entries, stashes, operationIn(layout)]);
    }
    case 'branches':
      return JSON.stringify(await repository.run(refDetails({ kind: 'all' })));
    case 'tags':
      return JSON.stringify(await repository.run(refDetails({ kind: 'tags' })));
    case 'refs': {
      const [branches, tags] = await Promise.all([
        repository.run(refNames({ kind: 'local' })),
        repository.run(refNames({ kind: 'tags' })),
      ]);
      return JSON.stringify([...branches, ...tags]);
    }
    case 'staged':
    case 'unstaged':
      return repository.run(digestOfDiff(aspect));
  }
}

function digestOfDiff(of: 'staged' | 'unstaged'): Command<string> {
  return {
    args: diffArgs({ of }),
    reader: () => {
      const hash = createHash('sha1');
      return {
        push: (chunk) => (hash.update(chunk), true),
        result: () => hash.digest('base64'),
      };
    },
  };
}
