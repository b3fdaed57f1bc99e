import { confirm, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { quoted } from '../backend/display-name.ts';
import { revision as checked } from '../backend/commands/validate-revision.ts';
import { reset } from '../backend/commands/staging.ts';
import type { AskingCall } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitReset = defineTool({
  name: 'git_reset',
  title: 'Reset',
  description:
    'Unstages everything. With a revision the branch goes back there: soft keeps index and files, mixed the files, hard nothing.',
  hints: { destructive: true, idempotent: true, openWorld: false },

  input: z.object({
    ...repositoryArgument,
    mode: z.enum(['mixed', 'soft', 'hard']).default('mixed'),
    revision: z.string().optional(),
  }),

  async run({ repo_path, mode, revision }, call: AskingCall) {
    const to = revision === undefined ? undefined : checked(revision);
    const repository = call.repositories.at(repo_path);
    if (mode === 'hard') {
      const question = `Discard all changes to tracked files in ${repository.root} and go to ${quoted(to ?? 'HEAD')}?`;
      const asked = await confirm(call, question);
      if (asked) return asked;
    }
    await repository.run(reset(mode, to), { signal: call.signal });
    return to === undefined && mode === 'mixed' ? 'Nothing is staged any more' : `Reset (${mode})`;
  },
});
