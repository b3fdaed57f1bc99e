import * as z from 'zod';
import { unstageLines as unstage, workTreePath } from '@mcp/safe-git';
import { viewTool } from '../input/view-tool.ts';

/** By this tool, the view unstages a part of a file. Models restore whole files. */
export const unstageLines = viewTool({
  name: 'unstage_lines',
  title: 'Unstage lines',
  description: 'Unstages changes of one file.',
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },
  args: {
    path: z.string(),
    lines: z
      .array(z.string())
      .min(1)
      .max(1_000)
      .describe('@@ headers of its staged diff, or lines as +10-12, -7'),
    index: z.string().describe('"a1b2..c3d4" from the index line of that diff'),
  },

  async run(repository, { path, lines, index }) {
    const { top } = await repository.layout();
    const inside = workTreePath(path, top);
    const { count, before } = await repository.withLock(() => unstage(repository, inside, { lines, index }));
    const undo = `git_restore with staged, source ${before.slice(0, 10)} and the same path`;
    return { count, said: `Unstaged ${count} changed lines; to undo: ${undo}` };
  },
});
