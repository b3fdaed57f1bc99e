import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import {
  deleteAll,
  maxDeleted,
  mergedBranches,
  namedBranches,
  type DeletableBranch,
} from '../backend/actions/delete-branches.ts';
import type { Setting } from '../backend/access/git-config.ts';
import { branchExists } from '../backend/commands/branches.ts';
import { displayName, quoted } from '../backend/display-name.ts';
import { remoteOfName } from '../backend/queries/remote-of-name.ts';
import type { Repository } from '../backend/repository.ts';
import { checkRefName } from '../backend/commands/validate-revision.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { countText } from '../text/count-text.ts';

export const gitDeleteBranch = defineTool({
  name: 'git_delete_branch',
  title: 'Delete branches',
  description: 'Deletes local branches; unmerged ones only with force.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    branch_name: z.union([z.string(), z.array(z.string()).max(maxDeleted)]).optional(),
    merged: z.boolean().default(false).describe('All merged into HEAD, except main and the like'),
    force: z.boolean().default(false),
  }),

  async run({ repo_path, branch_name, merged, force }, { repositories }: Git, call) {
    if (merged === (branch_name !== undefined))
      throw new Error('Invalid arguments: expected either branch_name or merged');
    const names = [branch_name ?? []].flat().map((name) => checkRefName(name));
    const repository = repositories.at(repo_path);
    const { signal } = call;
    await refuseRemoteBranches(repository, names, repositories.context);
    const { branches, total } = merged
      ? await mergedBranches(repository, { signal })
      : { branches: await namedBranches(repository, names, { signal }), total: names.length };
    const lost = branches.filter((branch) => !branch.merged);
    if (force && lost.length > 0) {
      const question = await requireConfirmation(call, questionFor(lost, repository.root));
      if (question) return question;
    }
    if (branches.length === 0) return 'No merged branch to delete';
    const settings = await repository.settings();
    await deleteAll(repository, branches, force, { signal });
    const deleted = branches.map((branch) => deletedLine(branch, settings));
    const restored = branches.some(({ upstream, track }) => upstream !== undefined && track !== 'gone')
      ? 'git_create_branch with its commit as base_branch, and its upstream in brackets, restores one'
      : 'git_create_branch with its commit as base_branch restores one';
    const count = countText(branches.length, 'branch', 'branches');
    const rest = merged && total > maxDeleted ? `, of ${total}; call again for the others` : '';
    return `Deleted ${count}${rest}; ${restored}:\n${deleted.join('\n')}`;
  },
});

/** Throws for a branch of a remote: the error names the call that deletes it, and no similar local branch. */
async function refuseRemoteBranches(
  repository: Repository,
  names: readonly string[],
  { allowRemote }: { readonly allowRemote: boolean },
): Promise<void> {
  for (const name of names) {
    const remote = await remoteOfName(repository, name);
    if (remote === undefined || (await repository.run(branchExists(name)))) continue;
    const branch = quoted(name.slice(remote.length + 1));
    const where = allowRemote ? '' : ', if the server runs with --allow-remote';
    throw new Error(
      `Not a local branch: ${quoted(name)}; git_push with delete and branch ${branch} deletes it on the remote ${quoted(remote)}${where}`,
    );
  }
}

function questionFor(lost: readonly DeletableBranch[], root: string): string {
  const named = lost.slice(0, 5).map(({ name }) => quoted(name));
  const more = lost.length > 5 ? ` and ${lost.length - 5} more` : '';
  const noun = lost.length === 1 ? 'the branch' : 'the branches';
  return `Delete ${noun} ${named.join(', ')}${more} of ${root} with commits that are not merged?`;
}

/** A branch with its commit and its upstream, and the settings that are not restored with them. */
function deletedLine({ name, hash, upstream, track }: DeletableBranch, settings: readonly Setting[]): string {
  const prefix = `branch.${name}.`;
  const others = settings
    .map(({ key }) => key)
    .filter((key) => key.startsWith(prefix) && !/^(remote|merge)$/.test(key.slice(prefix.length)));
  const lost = [
    ...(upstream !== undefined && track === 'gone'
      ? [`its upstream ${displayName(upstream)}, which is gone`]
      : []),
    ...new Set(others.map(displayName)),
  ];
  const kept = upstream === undefined || track === 'gone' ? '' : ` [${displayName(upstream)}]`;
  return `${displayName(name)} ${hash.slice(0, 10)}${kept}${lost.length === 0 ? '' : ` without ${lost.join(', ')}`}`;
}
