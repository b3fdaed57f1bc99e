import * as z from 'zod';
import { readPatchRows } from '@mcp/safe-git';
import { checkCompared, comparedArgument } from '../input/compared.ts';
import { viewTool } from '../input/view-tool.ts';

/** By this tool, the view reads the lines of a diff that are in sight. */
export const readPatch = viewTool({
  name: 'read_patch',
  title: 'Read patch',
  description: 'Returns lines of the diff of one file to the view.',
  args: {
    of: comparedArgument,
    paths: z.array(z.string()).min(1).max(2).describe('The file, and its former path'),
    context_lines: z.int().min(0).max(1_000).optional(),
    pairs: z.boolean().optional().describe('Removed lines beside added ones'),
    counts: z.boolean().optional().describe('With the number of all rows'),
    skip: z.int().min(0).default(0),
    limit: z.int().min(1).max(1_000).default(200),
  },

  run: (repository, { of, paths, context_lines: contextLines, pairs, counts, skip, limit }) =>
    readPatchRows(repository, { of: checkCompared(of), paths, contextLines, pairs, counts, skip, limit }),
});
