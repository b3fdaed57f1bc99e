import { confirm, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { revision } from '../backend/commands/validate-revision.ts';
import { restore } from '../backend/commands/staging.ts';
import { workPaths } from '../backend/access/work-tree-path.ts';
import type { AskingCall } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitRestore = defineTool({
  name: 'git_restore',
  title: 'Restore paths',
  description:
    'Gives files back the content they have in the index or a revision; with staged, unstages them.',
  hints: { destructive: true, idempotent: true, openWorld: false },

  input: z.object({
    ...repositoryArgument,
    paths: z.array(z.string()).min(1),
    staged: z.boolean().default(false),
    source: z.string().optional().describe('Revision'),
  }),

  async run({ repo_path, paths, staged, source }, call: AskingCall) {
    const from = source === undefined ? undefined : revision(source);
    const repository = call.repositories.at(repo_path);
    const { top } = await repository.layout();
    const inside = workPaths(paths, top);
    if (!staged) {
      const names = inside.slice(0, 5).map(quoted).join(', ') + (inside.length > 5 ? ', …' : '');
      const asked = await confirm(call, `Discard the changes in ${names} of ${repository.root}?`);
      if (asked) return asked;
    }
    await repository.run(restore({ paths: inside, staged, source: from }), { signal: call.signal });
    return staged ? 'Unstaged' : 'Restored';
  },
});
