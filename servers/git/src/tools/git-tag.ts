import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { createTag, deleteTag, tagTarget } from '../backend/commands/branches.ts';
import { messageOf } from '../backend/commands/commit.ts';
import { isKept } from '../backend/commands/rev-parse.ts';
import { quoted } from '../backend/display-name.ts';
import { checkRefName, checkRevision } from '../backend/commands/validate-revision.ts';
import { missingError } from '../backend/errors.ts';
import { missing } from '../backend/missing.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitTag = defineTool({
  name: 'git_tag',
  title: 'Tag',
  description: 'Creates a tag (annotated with message) or deletes one. git_branch lists tags.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    action: z.enum(['create', 'delete']),
    name: z.string(),
    revision: z.string().optional().describe('Defaults to HEAD'),
    message: z.string().optional(),
  }),

  async run({ repo_path, action, name, revision, message }, { repositories }: Git, call) {
    const tag = checkRefName(name, 'tag');
    const repository = repositories.at(repo_path);
    if (action === 'delete') {
      const { signal } = call;
      const target = await repository.run(tagTarget(tag), { signal });
      if (!target) throw missingError(missing('tag', tag));
      const { hash, type } = target;
      const kept =
        type === 'commit' && (await repository.run(isKept(hash, { except: `refs/tags/${tag}` }), { signal }));
      const text = `Delete the tag ${quoted(tag)} of ${repository.root}?`;
      const question = kept ? undefined : await requireConfirmation(call, text);
      if (question) return question;
      await repository.run(deleteTag(tag), { signal });
      return `Deleted tag ${quoted(tag)}; creating it at revision ${hash.slice(0, 10)} restores it`;
    }
    const command = createTag({
      name: tag,
      revision: revision === undefined ? undefined : checkRevision(revision),
      message: message === undefined ? undefined : messageOf(message),
      trusted: repository.trusted,
    });
    await repository.run(command, { signal: call.signal });
    return `Created tag ${quoted(tag)}`;
  },
});
