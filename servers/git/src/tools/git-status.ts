import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { offsetCursor, parseOffset } from '../input/offset-cursor.ts';
import { describeInterruption } from '../backend/actions/interrupted-operation.ts';
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

  async run({ repo_path, cursor }, { repositories }: Git, { signal, progress }) {
    const repository = repositories.at(repo_path);
    const start = parseOffset(cursor);
    const found = await repository.run(status({ trusted: repository.trusted }), { signal, progress });
    const operation = operationIn(await repository.layout());
    const next = offsetCursor(start + entriesPerPage, found.entries.length);
    const odd =
      found.entries.some(({ unstaged }) => unstaged === 'modified') && (await hasDisabledFilters(repository));
    const interrupted = await describeInterruption(repository);
    const text = statusText(found, operation, { start, more: `more with cursor "${next}"` });
    return [text, ...(odd ? [filtersNote] : []), ...(interrupted === undefined ? [] : [interrupted])].join(
      '\n',
    );
  },
});
