import { requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import {
  checkRefName,
  checkRevision,
  createTag,
  deleteTag,
  isKept,
  keepObject,
  messageOf,
  noSuch,
  objectHash,
  quoted,
  tagTarget,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitTag = repositoryTool({
  name: 'git_tag',
  title: 'Tag',
  description: 'Creates a tag (annotated with message) or deletes one. git_branch lists tags.',
  annotations: { destructiveHint: true, openWorldHint: false },

  args: {
    action: z.enum(['create', 'delete']),
    name: z.string(),
    revision: z.string().optional().describe('Defaults to HEAD'),
    message: z.string().optional(),
  },

  async run(repository, { action, name, revision, message }, call) {
    const tag = checkRefName(name, 'tag');
    if (action === 'delete') {
      const target = await repository.run(tagTarget(tag));
      if (!target) throw noSuch('tag', tag);
      const { hash, type } = target;
      const kept = type === 'commit' && (await repository.run(isKept(hash, { except: `refs/tags/${tag}` })));
      const text = `Delete the tag ${quoted(tag)} of ${repository.root}?`;
      if (!kept) await requireConfirmation(call, text);
      const remove = async () => {
        await repository.runLocked(deleteTag(tag));
        return true;
      };
      await repository.withLock(async () => {
        if (kept) await remove();
        else await keepObject(repository, hash, remove);
      });
      return `Deleted tag ${quoted(tag)}; creating it at revision ${hash.slice(0, 10)} restores it`;
    }
    const at = revision === undefined ? undefined : checkRevision(revision);
    const text = message === undefined ? undefined : messageOf(message);
    const { trusted, signs } = repository;
    await repository.run(createTag({ name: tag, revision: at, message: text, trusted, signs }));
    const target = await repository.run(objectHash(`refs/tags/${tag}^{}`));
    return `Created ${text === undefined ? '' : 'annotated '}tag ${quoted(tag)} at ${target?.slice(0, 10)}`;
  },
});
