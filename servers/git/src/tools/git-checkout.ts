import * as z from 'zod';
import {
  branchOfHead,
  checkout,
  checkOut,
  checkRevision,
  detachedCommit,
  leftCommit,
  quoted,
  refuseLeavingOperation,
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
    const [branch, left] = await repository.withLock(async () => {
      refuseLeavingOperation(await repository.layout());
      const before = await detachedCommit(repository);
      await checkOut(repository, checkout(revision), revision);
      return [await repository.runLocked(branchOfHead), await leftCommit(repository, before)] as const;
    });
    const where =
      branch === undefined ? `HEAD is detached at ${quoted(branch_name)}` : `On branch ${quoted(branch)}`;
    return where + leftText(left);
  },
});
