import * as z from 'zod';
import {
  describeInterruption,
  filtersNote,
  fittingJson,
  hasDisabledFilters,
  offsetCursor,
  operationIn,
  parseOffset,
  shownEntries,
  status,
  statusText,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { statusFacts, statusSchema } from '../text/facts.ts';
import { repositoryView } from '../views.ts';

export const gitStatus = repositoryTool({
  name: 'git_status',
  title: 'Status',
  description: 'Shows HEAD and the staged, unstaged, untracked and conflicting files.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  view: repositoryView,

  args: { cursor: z.string().optional() },
  facts: statusSchema,

  async run(repository, { cursor }, call) {
    const start = parseOffset(cursor);
    const found = await repository.run(status({ trusted: repository.trusted }));
    const operation = operationIn(await repository.layout());
    const odd =
      found.entries.some(({ unstaged }) => unstaged === 'modified') && (await hasDisabledFilters(repository));
    const interrupted = await describeInterruption(repository);
    const max = call.context.structured ? fittingJson(found.entries.slice(start)) : undefined;
    const more = (next: string) => `more with cursor "${next}"`;
    const text = statusText(found, operation, { start, max, more });
    const files = shownEntries(found.entries, { start, max });
    const next = offsetCursor(start + files.length, found.entries.length);
    const whole = [
      text,
      ...(odd ? [filtersNote] : []),
      ...(interrupted === undefined ? [] : [interrupted]),
    ].join('\n');
    return { text: whole, facts: statusFacts(found, operation, { files, next }) };
  },
});
