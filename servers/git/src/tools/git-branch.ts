import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { readRefs } from '../backend/queries/refs-page.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import type { Git } from '../context.ts';
import { offsetCursor, parseOffset } from '../input/offset-cursor.ts';
import { countText } from '../text/count-text.ts';
import { refLine } from '../text/refs-text.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

const limit = 500;

export const gitBranch = defineTool({
  name: 'git_branch',
  title: 'Branches',
  description: 'Lists branches or tags with their commits.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    branch_type: z.enum(['local', 'remote', 'all', 'tags']).default('local'),
    contains: z.string().optional().describe('Only those that contain this revision'),
    not_contains: z.string().optional(),
    merged: z.string().optional().describe('Only those merged into this revision'),
    not_merged: z.string().optional(),
    cursor: z.string().optional(),
  }),

  async run(args, { repositories }: Git, { signal, progress }) {
    const query = {
      kind: args.branch_type,
      contains: args.contains && checkRevision(args.contains),
      notContains: args.not_contains && checkRevision(args.not_contains),
      merged: args.merged && checkRevision(args.merged),
      notMerged: args.not_merged && checkRevision(args.not_merged),
    };
    const offset = parseOffset(args.cursor);
    const repository = repositories.at(args.repo_path);
    const { refs, total } = await readRefs(repository, query, { offset, limit }, { signal, progress });
    if (total === 0) return 'None';
    const next = offsetCursor(offset + limit, total);
    const count =
      args.branch_type === 'tags' ? countText(total, 'tag') : countText(total, 'branch', 'branches');
    return [
      ...refs.map(refLine),
      next === undefined ? count : `… ${total} in total; more with cursor "${next}"`,
    ].join('\n');
  },
});
