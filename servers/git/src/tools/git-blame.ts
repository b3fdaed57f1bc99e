import * as z from 'zod';
import { type BlameHunk, blamePage, checkRevision, functionRange, isShallow, readBlame } from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { blameSchema, rangeFacts } from '../text/facts.ts';
import { repositoryView } from '../views.ts';

/** Maximum number of lines in an answer: as ranges only, and with the text of the lines. */
const maxLines = 3_000;
const maxTextLines = 300;

export const gitBlame = repositoryTool({
  name: 'git_blame',
  title: 'Blame',
  description: 'Shows the commit that last changed each range of lines of a file.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  view: repositoryView,

  args: {
    path: z.string(),
    revision: z.string().optional().describe('Defaults to the work tree'),
    start_line: z.int().min(1).default(1),
    end_line: z.int().min(1).optional(),
    function: z.string().optional().describe('Only this function'),
    text: z.boolean().default(false).describe('With the text of the lines'),
  },

  facts: blameSchema,

  async run(repository, args, call) {
    const { path, revision, start_line: start, end_line, text: withText, function: name } = args;
    const from = revision === undefined ? undefined : checkRevision(revision);
    if (end_line !== undefined && end_line < start)
      throw new Error('Invalid end_line: it is before start_line');
    const limit = withText ? maxTextLines : maxLines;
    const end = Math.min(end_line ?? Infinity, start + limit - 1);
    const range = name === undefined ? `${start},${end}` : functionRange(name);
    const hunks = await readBlame(repository, { path, revision: from, range });
    const isHistoryShallow = isShallow(await repository.layout());
    const rowOf = (hunk: BlameHunk) => rangeFacts(hunk, withText);
    const page = blamePage(hunks, {
      limit,
      withText,
      isLast: end_line === end,
      isHistoryShallow,
      ...(call.context.structured && { rowOf }),
    });
    return { text: page.text, facts: { ranges: page.hunks.map(rowOf), next_line: page.next } };
  },
});
