import * as z from 'zod';
import {
  checkout,
  checkOut,
  checkRevision,
  detachedCommit,
  leftCommit,
  quoted,
  refuseLeavingOperation,
  remainingText,
  status,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { leftText } from '../text/undo-text.ts';

export const gitCheckout = repositoryTool({
  name: 'git_checkout',
  title: 'Check out',
  description: 'Checks out a branch, or another revision with HEAD detached. Overwrites no local changes.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },

  args: { branch_name: z.string() },

  async run(repository, { branch_name }) {
    const revision = checkRevision(branch_name);
    const [now, left] = await repository.withLock(async () => {
      refuseLeavingOperation(await repository.layout());
      const before = await detachedCommit(repository);
      await checkOut(repository, checkout(revision), revision);
      const { branch, entries } = await repository.runLocked(status({ trusted: repository.trusted }));
      return [
        { ...branch, remaining: remainingText(entries) },
        await leftCommit(repository, before),
      ] as const;
    });
    const commit = now.oid?.slice(0, 10);
    const where =
      now.head === undefined
        ? `HEAD is detached at ${quoted(branch_name)}, ${commit}`
        : `On branch ${quoted(now.head)} at ${commit}`;
    return `${where}; ${now.remaining}${leftText(left)}`;
  },
});
