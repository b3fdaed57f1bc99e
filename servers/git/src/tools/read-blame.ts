import * as z from 'zod';
import { checkRevision, functionRange, readBlame } from '@mcp/safe-git';
import { viewTool } from '../input/view-tool.ts';
import { rangeFacts } from '../text/facts.ts';

const maxLineLength = 2_000;

/** By this tool, the view reads the lines of a file with the commits that last changed them. */
export const readBlamedLines = viewTool({
  name: 'read_blame',
  title: 'Read blame',
  description: 'Returns the lines of a file with their commits to the view.',
  args: {
    path: z.string(),
    revision: z.string().optional(),
    start_line: z.int().min(1).default(1),
    function: z.string().optional(),
    limit: z.int().min(1).max(1_000).default(300),
  },

  async run(repository, { path, revision: given, start_line: start, function: name, limit }) {
    const revision = given === undefined ? undefined : checkRevision(given);
    // One line more than is shown says whether there are more.
    const range = name === undefined ? `${start},${start + limit}` : functionRange(name);
    const hunks = await readBlame(repository, { path, revision, range });
    const end = name === undefined ? start + limit : Infinity;
    const ranges = hunks.flatMap((hunk) => {
      const lines = hunk.lines
        .slice(0, end - hunk.line)
        .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line));
      return lines.length === 0 ? [] : [rangeFacts({ ...hunk, lines }, true)];
    });
    const last = hunks.at(-1);
    const hasMore = last !== undefined && last.line + last.lines.length > end;
    return { ranges, ...(hasMore && { next_line: end }) };
  },
});
