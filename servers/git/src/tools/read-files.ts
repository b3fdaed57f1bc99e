import * as z from 'zod';
import { readChangedFiles } from '@mcp/safe-git';
import { checkCompared, comparedArgument } from '../input/compared.ts';
import { viewTool } from '../input/view-tool.ts';
import { commitFacts } from '../text/facts.ts';

/** By this tool, the view reads the files of a diff. */
export const readFiles = viewTool({
  name: 'read_files',
  title: 'Read changed files',
  description: 'Returns the changed files of a diff or commit, with their counts of lines, to the view.',
  args: {
    of: comparedArgument,
    paths: z.array(z.string()).optional(),
    cursor: z.string().optional(),
  },

  async run(repository, { of, paths, cursor }) {
    const page = await readChangedFiles(repository, checkCompared(of), { ...(paths && { paths }), cursor });
    const { commit, files, nextCursor } = page;
    return { ...(commit && { commit: commitFacts(commit, true) }), files, next_cursor: nextCursor };
  },
});
