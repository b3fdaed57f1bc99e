import { type Call, requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName, quoted } from '../backend/display-name.ts';
import {
  deleteRemoteBranch,
  pushTo,
  remoteBranch,
  type PushRequest,
} from '../backend/actions/fetch-pull-push.ts';
import type { Repository } from '../backend/repository.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitPush = defineTool({
  name: 'git_push',
  title: 'Push',
  description: 'Pushes a branch. force replaces the remote branch, unless it moved since the last fetch.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },

  inputSchema: z.object({
    ...repositoryArgument,
    remote: z.string().optional(),
    branch: z.string().optional().describe('Defaults to the current one'),
    to: z.string().optional().describe('Its name on the remote'),
    force: z.boolean().default(false),
    delete: z.boolean().default(false).describe('Instead, delete branch there'),
    set_upstream: z.boolean().default(false),
    tags: z.boolean().default(false).describe('Also annotated tags of its commits'),
  }),

  async run(
    { repo_path, set_upstream: setUpstream, delete: deletes, ...request },
    { repositories }: Git,
    call,
  ) {
    const repository = repositories.at(repo_path);
    if (deletes) return deleteBranch(repository, { ...request, setUpstream }, call);
    if (request.force) {
      const named = request.to ?? request.branch;
      const question = await requireConfirmation(
        call,
        `Replace ${named === undefined ? 'the current branch' : quoted(named)} on the remote of ${repository.root}?`,
      );
      if (question) return question;
    }
    const { signal, progress } = call;
    return `Pushed ${await pushTo(repository, { ...request, setUpstream }, { signal, progress })}`;
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
  const { signal, progress } = call;
  const found = await remoteBranch(repository, { remote, branch: named }, { signal });
  const question = await requireConfirmation(
    call,
    `Delete the branch ${quoted(found.branch)} on the remote ${quoted(found.remote)} of ${repository.root}?`,
  );
  if (question) return question;
  await deleteRemoteBranch(repository, found, { signal, progress });
  const hash = found.hash.slice(0, 10);
  const name = displayName(`${found.remote}/${found.branch}`);
  return `Deleted ${name}, which was at ${hash}; git_create_branch at ${hash} and git_push restore it`;
}
