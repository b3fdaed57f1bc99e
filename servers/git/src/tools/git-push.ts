import { type Call, requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import {
  deleteRemoteBranch,
  escapeName,
  type PushRequest,
  pushTo,
  quoted,
  remoteBranch,
  type Repository,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitPush = repositoryTool({
  name: 'git_push',
  title: 'Push',
  description: 'Pushes a branch. force replaces the remote branch, unless it moved since the last fetch.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },

  args: {
    remote: z.string().optional(),
    branch: z.string().optional().describe('Defaults to the current one'),
    to: z.string().optional().describe('Its name on the remote'),
    force: z.boolean().default(false),
    delete: z.boolean().default(false).describe('Instead, delete branch there'),
    set_upstream: z.boolean().default(false),
    tags: z.boolean().default(false).describe('Also annotated tags of its commits'),
  },

  async run(repository, { set_upstream: setUpstream, delete: deletes, ...request }, call) {
    if (deletes) return deleteBranch(repository, { ...request, setUpstream }, call);
    if (request.force) {
      const named = request.to ?? request.branch;
      await requireConfirmation(
        call,
        `Replace ${named === undefined ? 'the current branch' : quoted(named)} on the remote of ${repository.root}?`,
      );
    }
    return `Pushed ${await pushTo(repository, { ...request, setUpstream })}`;
  },
});

async function deleteBranch(
  repository: Repository,
  { remote, branch, to, force, setUpstream, tags }: PushRequest,
  call: Call,
) {
  if (force || setUpstream || tags)
    throw new Error('Invalid arguments: delete takes no force, set_upstream or tags');
  const named = to ?? branch;
  if (named === undefined) throw new Error('Missing branch: name the branch to delete on the remote');
  const found = await remoteBranch(repository, { remote, branch: named });
  await requireConfirmation(
    call,
    `Delete the branch ${quoted(found.branch)} on the remote ${quoted(found.remote)} of ${repository.root}?`,
  );
  await deleteRemoteBranch(repository, found);
  const hash = found.hash.slice(0, 10);
  const name = escapeName(`${found.remote}/${found.branch}`);
  return `Deleted ${name}, which was at ${hash}; git_create_branch at ${hash} and git_push restore it`;
}
