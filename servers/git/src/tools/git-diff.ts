import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { checkRevisionOrRange } from '../backend/commands/validate-revision.ts';
import { readDiffPage } from '../backend/queries/diff-page.ts';
import type { Git } from '../context.ts';
import { diffArguments } from '../input/diff-arguments.ts';
import { pageText } from '../text/page-text.ts';

export const gitDiff = defineTool({
  name: 'git_diff',
  title: 'Diff',
  description:
    'Compares the work tree with a revision, or two revisions as a..b; a...b compares b with the merge base. In pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ target: z.string().describe('Revision, a..b or a...b'), ...diffArguments }),

  async run(
    { repo_path, target, context_lines: contextLines, paths, stat, cursor },
    { repositories }: Git,
    call,
  ) {
    const of = { target: checkRevisionOrRange(target) };
    const repository = repositories.at(repo_path);
    const page = await readDiffPage(repository, { of, contextLines, paths, stat }, cursor, call);
    return pageText(page, 'No difference');
  },
});
