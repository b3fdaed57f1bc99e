import * as z from 'zod';
import {
  checkRevision,
  commitLine,
  type CommitSize,
  countText,
  escapeName,
  makeCommit,
  remainingText,
  type StatusEntry,
  workTreePaths,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

export const gitCommit = repositoryTool({
  name: 'git_commit',
  title: 'Commit',
  description: 'Commits the staged changes, with the message unchanged.',
  annotations: { destructiveHint: false, openWorldHint: false },

  args: {
    message: z.string(),
    files: z.array(z.string()).min(1).optional().describe('Stage these first, as git_add does'),
    author: z.string().optional().describe('Name <email>'),
    amend: z.boolean().default(false).describe('Replace the last commit'),
    squash: z.string().optional().describe('Replace all commits after this revision'),
    reword: z.string().optional().describe('Only replace the message of this revision'),
    all: z.boolean().default(false).describe('Stage all changed tracked files first'),
    allow_empty: z.boolean().default(false),
  },

  async run(repository, args) {
    const { message, author, amend, allow_empty: allowEmpty } = args;
    const squash = args.squash === undefined ? undefined : checkRevision(args.squash);
    const reword = args.reword === undefined ? undefined : checkRevision(args.reword);
    if ([amend, squash !== undefined, reword !== undefined].filter(Boolean).length > 1)
      throw new Error('Invalid arguments: expected one of amend, squash and reword');
    if (reword !== undefined && (args.all || (args.files ?? author) !== undefined))
      throw new Error('Invalid arguments: reword takes only a message');
    const { top } = await repository.layout();
    const paths = args.files && workTreePaths(args.files, top);
    const options = { message, author, amend, allowEmpty, squash, reword, paths, all: args.all };
    const { commit, branch, before, hadStaged, size, left } = await makeCommit(repository, options);
    const counts = reword === undefined ? sizeText(size) + leftText(left) : '';
    const done = reword === undefined ? 'Committed' : 'Reworded';
    // A soft reset leaves all committed files staged, also the files that this call has staged.
    const kept = paths && hadStaged ? ' but leaves the files staged' : '';
    const mode = hadStaged ? 'soft' : 'mixed';
    const undo = before === undefined ? '' : `; git_reset ${mode} to ${before.slice(0, 10)} undoes it${kept}`;
    return `${done}${branch === undefined ? '' : ` on ${escapeName(branch)}`}: ${commitLine(commit)}${counts}${undo}`;
  },
});

function sizeText({ files, added, deleted }: CommitSize): string {
  return files === 0 ? '; no file changed' : `; ${countText(files, 'file')}, +${added} −${deleted}`;
}

function leftText(entries: readonly StatusEntry[]): string {
  return entries.length === 0 ? '' : `; left: ${remainingText(entries)}`;
}
