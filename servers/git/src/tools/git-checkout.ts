import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { detachedCommit, leftCommit } from '../backend/actions/left-behind.ts';
import { checkOut } from '../backend/actions/check-out.ts';
import { checkout } from '../backend/commands/branches.ts';
import { quoted } from '../backend/display-name.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { refuseLeavingOperation } from '../backend/queries/in-progress-operation.ts';
import { branchOfHead } from '../backend/queries/head.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { leftText } from '../text/left-text.ts';

export const gitCheckout = defineTool({
  name: 'git_checkout',
  title: 'Check out',
  description: 'Checks out a branch, or another revision with HEAD detached. Overwrites no local changes.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },

  inputSchema: z.object({ ...repositoryArgument, branch_name: z.string() }),

  async run({ repo_path, branch_name }, { repositories }: Git, { signal, progress }) {
    const revision = checkRevision(branch_name);
    const repository = repositories.at(repo_path);
    const [branch, left] = await repository.withLock(async () => {
      refuseLeavingOperation(await repository.layout());
      const before = await detachedCommit(repository, { signal });
      await checkOut(repository, checkout(revision), revision, { signal, progress });
      return [await repository.runLocked(branchOfHead), await leftCommit(repository, before)] as const;
    });
    const where =
      branch === undefined ? `HEAD is detached at ${quoted(branch_name)}` : `On branch ${quoted(branch)}`;
    return where + leftText(left);
  },
});
