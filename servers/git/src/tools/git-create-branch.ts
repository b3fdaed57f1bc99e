import * as z from 'zod';
import { changeBranch, checkRefName, checkRevision, escapeName, quoted, remainingText } from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { leftText } from '../text/undo-text.ts';

export const gitCreateBranch = repositoryTool({
  name: 'git_create_branch',
  title: 'Create, move or rename branch',
  description: 'Creates, moves or renames a branch, or sets its upstream.',
  annotations: { destructiveHint: false, openWorldHint: false },

  args: {
    branch_name: z.string(),
    base_branch: z.string().optional().describe('Start revision; defaults to HEAD'),
    checkout: z.boolean().default(false),
    move: z.boolean().default(false).describe('Move it if it exists'),
    rename: z.string().optional().describe('Branch to rename to branch_name'),
    upstream: z.string().optional().describe('"" removes it'),
  },

  async run(repository, args) {
    const { branch_name, base_branch, rename, upstream, checkout, move } = args;
    const change = {
      name: checkRefName(branch_name),
      base: base_branch === undefined ? undefined : checkRevision(base_branch),
      rename: rename === undefined ? undefined : checkRefName(rename),
      upstream: upstream && checkRevision(upstream),
      checkout,
      move,
    };
    const made = await changeBranch(repository, change);
    const { done, commit, head, entries, before, upstreamBefore, left } = made;
    const at = commit?.slice(0, 10) ?? 'no commit';
    const said = {
      created: `Created branch ${quoted(branch_name)} at ${at}`,
      moved: `Moved branch ${quoted(branch_name)} from ${before?.slice(0, 10)} to ${at}`,
      renamed: `Renamed branch ${quoted(rename ?? '')} to ${quoted(branch_name)}`,
      kept: `Branch ${quoted(branch_name)}`,
    }[done];
    const parts = [
      said,
      ...(upstream === undefined ? [] : [upstream === '' ? 'no upstream' : `upstream ${quoted(upstream)}`]),
      ...(upstreamBefore === undefined ? [] : [`it was ${quoted(upstreamBefore)}`]),
      entries
        ? `checked out; ${remainingText(entries)}`
        : `HEAD is ${head === undefined ? 'detached' : `on ${escapeName(head)}`}`,
    ];
    return parts.join('; ') + leftText(left);
  },
});
