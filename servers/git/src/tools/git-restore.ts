import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { restore } from '../backend/commands/staging.ts';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitRestore = defineTool({
  name: 'git_restore',
  title: 'Restore paths',
  description: 'Restores files from the index or a revision; with staged, unstages them.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    paths: z.array(z.string()).min(1),
    staged: z.boolean().default(false),
    source: z.string().optional().describe('Revision'),
  }),

  async run({ repo_path, paths, staged, source }, { repositories }: Git, call) {
    const from = source === undefined ? undefined : checkRevision(source);
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    const inside = workTreePaths(paths, top);
    if (!staged) {
      const names = inside.slice(0, 5).map(quoted).join(', ') + (inside.length > 5 ? ', …' : '');
      const question = await requireConfirmation(
        call,
        `Discard the changes in ${names} of ${repository.root}?`,
      );
      if (question) return question;
    }
    await repository.run(restore({ paths: inside, staged, source: from }), { signal: call.signal });
    return staged ? 'Unstaged' : 'Restored';
  },
});
