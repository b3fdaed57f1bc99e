import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { diff } from '../backend/commands/diff.ts';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
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

  async run({ repo_path, context_lines, paths = [], cursor }, { repositories }: Git, { signal, progress }) {
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    const command = diff(
      { of: 'unstaged', contextLines: context_lines, paths: workTreePaths(paths, top) },
      cursor,
    );
    const page = await repository.run(command, { signal, progress });
    const shown = pageText(page, 'No unstaged changes');
    const odd = page.text !== '' && cursor === undefined && (await hasDisabledFilters(repository));
    return odd ? `${filtersNote}\n\n${shown}` : shown;
  },
});
