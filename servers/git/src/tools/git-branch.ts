import * as z from 'zod';
import {
  checkRevision,
  countText,
  fittingRows,
  offsetCursor,
  parseOffset,
  readRefs,
  refLine,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { refFacts, refsSchema } from '../text/facts.ts';

const limit = 500;

export const gitBranch = repositoryTool({
  name: 'git_branch',
  title: 'Branches',
  description: 'Lists branches or tags with their commits.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: {
    branch_type: z.enum(['local', 'remote', 'all', 'tags']).default('local'),
    contains: z.string().optional().describe('Only those that contain this revision'),
    not_contains: z.string().optional(),
    merged: z.string().optional().describe('Only those merged into this revision'),
    not_merged: z.string().optional(),
    cursor: z.string().optional(),
  },

  facts: refsSchema,

  async run(repository, args, call) {
    const query = {
      kind: args.branch_type,
      contains: args.contains && checkRevision(args.contains),
      notContains: args.not_contains && checkRevision(args.not_contains),
      merged: args.merged && checkRevision(args.merged),
      notMerged: args.not_merged && checkRevision(args.not_merged),
    };
    const offset = parseOffset(args.cursor);
    const { refs, total } = await readRefs(repository, query, { offset, limit });
    if (total === 0) return { text: 'None', facts: { refs: [], total } };
    const lines = refs.map(refLine);
    const rows = refs.map(refFacts);
    const shown = fittingRows(lines, call.context.structured ? rows : undefined);
    const next = offsetCursor(offset + shown, total);
    const count =
      args.branch_type === 'tags' ? countText(total, 'tag') : countText(total, 'branch', 'branches');
    const text = [
      ...lines.slice(0, shown),
      next === undefined ? count : `… ${total} in total; more with cursor "${next}"`,
    ].join('\n');
    return { text, facts: { refs: rows.slice(0, shown), total, next_cursor: next } };
  },
});
