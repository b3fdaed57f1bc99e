import * as z from 'zod';
import {
  describeInterruption,
  filtersNote,
  hasDisabledFilters,
  operationIn,
  parseOffset,
  status,
  statusText,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitStatus = repositoryTool({
  name: 'git_status',
  title: 'Status',
  description: 'Shows HEAD and the staged, unstaged, untracked and conflicting files.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: { cursor: z.string().optional() },

  async run(repository, { cursor }) {
    const start = parseOffset(cursor);
    const found = await repository.run(status({ trusted: repository.trusted }));
    const operation = operationIn(await repository.layout());
    const odd =
      found.entries.some(({ unstaged }) => unstaged === 'modified') && (await hasDisabledFilters(repository));
    const interrupted = await describeInterruption(repository);
    const text = statusText(found, operation, { start, more: (next) => `more with cursor "${next}"` });
    return [text, ...(odd ? [filtersNote] : []), ...(interrupted === undefined ? [] : [interrupted])].join(
      '\n',
    );
  },
});
