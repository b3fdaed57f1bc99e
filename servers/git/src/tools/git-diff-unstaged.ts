import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { readDiffPage } from '../backend/queries/diff-page.ts';
import { hasDisabledFilters } from '../backend/queries/disabled-filters.ts';
import type { Git } from '../context.ts';
import { diffArguments } from '../input/diff-arguments.ts';
import { filtersNote } from '../text/filters-note.ts';
import { pageText } from '../text/page-text.ts';

export const gitDiffUnstaged = defineTool({
  name: 'git_diff_unstaged',
  title: 'Unstaged changes',
  description: 'Shows unstaged changes: lines per file, then the diff, in pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object(diffArguments),

  async run({ repo_path, context_lines: contextLines, paths, stat, cursor }, { repositories }: Git, call) {
    const repository = repositories.at(repo_path);
    const page = await readDiffPage(repository, { of: 'unstaged', contextLines, paths, stat }, cursor, call);
    const shown = pageText(page, 'No unstaged changes');
    const odd = page.text !== '' && cursor === undefined && (await hasDisabledFilters(repository));
    return odd ? `${filtersNote}\n\n${shown}` : shown;
  },
});
