import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { offsetCursor, parseOffset } from '../input/offset-cursor.ts';
import { status } from '../backend/commands/status.ts';
import { hasDisabledFilters } from '../backend/queries/disabled-filters.ts';
import { operationIn } from '../backend/queries/in-progress-operation.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { filtersNote } from '../text/filters-note.ts';
import { entriesPerPage, statusText } from '../text/status-text.ts';

export const gitStatus = defineTool({
  name: 'git_status',
  title: 'Status',
  description: 'Shows HEAD and the staged, unstaged, untracked and conflicting files.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ ...repositoryArgument, cursor: z.string().optional() }),
  outputSchema: z.object({
    branch: z.string().optional(),
    detached: z.boolean(),
    commit: z.string().optional(),
    upstream: z.string().optional(),
    ahead: z.int().optional(),
    behind: z.int().optional(),
    operation: z.string().optional(),
    stashes: z.int(),
    entries: z.array(
      z.object({
        path: z.string(),
        from: z.string().optional(),
        staged: z.string().optional(),
        unstaged: z.string().optional(),
        untracked: z.boolean().optional(),
        conflict: z.string().optional(),
        submodule: z.boolean().optional(),
        modes: z.string().optional(),
      }),
    ),
    note: z.string().optional(),
    total: z.int(),
    nextCursor: z.string().optional(),
  }),

  async run({ repo_path, cursor }, { repositories }: Git, { signal, progress }) {
    const repository = repositories.at(repo_path);
    const start = parseOffset(cursor);
    const found = await repository.run(status({ trusted: repository.trusted }), { signal, progress });
    const operation = operationIn(await repository.layout());
    const { branch, stashes } = found;
    const entries = found.entries.slice(start, start + entriesPerPage);
    const next = offsetCursor(start + entriesPerPage, found.entries.length);
    const odd =
      found.entries.some(({ unstaged }) => unstaged === 'modified') && (await hasDisabledFilters(repository));
    const text = statusText(found, operation, { start, more: `more with cursor "${next}"` });
    return toolResult({
      content: odd ? `${text}\n${filtersNote}` : text,
      structuredContent: {
        ...(branch.head !== undefined && { branch: branch.head }),
        detached: branch.head === undefined,
        ...(branch.oid !== undefined && { commit: branch.oid }),
        ...(branch.upstream !== undefined && { upstream: branch.upstream }),
        ...(branch.ahead !== undefined && { ahead: branch.ahead }),
        ...(branch.behind !== undefined && { behind: branch.behind }),
        ...(operation && { operation }),
        stashes,
        entries: [...entries],
        ...(odd && { note: filtersNote }),
        total: found.entries.length,
        ...(next !== undefined && { nextCursor: next }),
      },
    });
  },
});
