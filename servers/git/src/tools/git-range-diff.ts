import * as z from 'zod';
import { checkRevision, pageText, readRangeDiff } from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitRangeDiff = repositoryTool({
  name: 'git_range_diff',
  title: 'Compare commits before and after a rebase',
  description:
    'Pairs the commits of two versions of a branch, such as before and after a rebase, and shows what has changed in each: = same, ! changed, < gone, > new.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: {
    before: z.string().describe('The former end of the branch'),
    after: z.string().default('HEAD'),
    base: z.string().optional().describe('Compare only commits after this, such as the branch rebased onto'),
    stat: z.boolean().default(false).describe('Only the pairs'),
    cursor: z.string().optional(),
  },

  async run(repository, { before, after, base, stat, cursor }) {
    const options = {
      before: checkRevision(before),
      after: checkRevision(after),
      base: base === undefined ? undefined : checkRevision(base),
      stat,
      cursor,
    };
    return pageText(await readRangeDiff(repository, options), 'No commits differ');
  },
});
