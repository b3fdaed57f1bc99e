import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { diff } from '../backend/commands/diff.ts';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import type { Git } from '../context.ts';
import { diffArguments } from '../input/diff-arguments.ts';
import { pageText } from '../text/page-text.ts';

export const gitDiffStaged = defineTool({
  name: 'git_diff_staged',
  title: 'Staged changes',
  description: 'Shows staged changes: lines per file, then the diff, in pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object(diffArguments),

  async run({ repo_path, context_lines, paths = [], cursor }, { repositories }: Git, { signal, progress }) {
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    const command = diff(
      { of: 'staged', contextLines: context_lines, paths: workTreePaths(paths, top) },
      cursor,
    );
    return pageText(await repository.run(command, { signal, progress }), 'Nothing is staged');
  },
});
