import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { readDiffPage } from '../backend/queries/diff-page.ts';
import type { Git } from '../context.ts';
import { diffArguments } from '../input/diff-arguments.ts';
import { pageText } from '../text/page-text.ts';

export const gitDiffStaged = defineTool({
  name: 'git_diff_staged',
  title: 'Staged changes',
  description: 'Shows staged changes: lines per file, then the diff, in pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object(diffArguments),

  async run({ repo_path, context_lines: contextLines, paths, stat, cursor }, { repositories }: Git, call) {
    const repository = repositories.at(repo_path);
    const page = await readDiffPage(repository, { of: 'staged', contextLines, paths, stat }, cursor, call);
    return pageText(page, 'Nothing is staged');
  },
});
