import * as z from 'zod';
import {
  checkRevision,
  commitLine,
  type CommitMade,
  type CommitSize,
  countText,
  escapeName,
  makeCommit,
  remainingText,
  type StatusEntry,
  workTreePaths,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { selectedLines } from '../input/selected-lines.ts';

export const gitCommit = repositoryTool({
  name: 'git_commit',
  title: 'Commit',
  description: 'Commits the staged changes; the message is used as given.',
  annotations: { destructiveHint: false, openWorldHint: false },

  args: {
    message: z.string().optional().describe('Optional with amend or fixup'),
    files: z.array(z.string()).min(1).optional().describe('Stage these first, as git_add does'),
    lines: selectedLines.describe('Only these changes of the one file, with index, as for git_add'),
    index: z.string().optional(),
    author: z.string().optional().describe('Name <email>'),
    amend: z.boolean().default(false).describe('Replace the last commit'),
    fixup: z.string().optional().describe('Add to this older commit, and copy those after it'),
    squash: z.string().optional().describe('Replace all commits after this revision'),
    reword: z.string().optional().describe('Only replace the message of this revision'),
    all: z.boolean().default(false).describe('Stage all changed tracked files first'),
    allow_empty: z.boolean().default(false),
  },

  async run(repository, args) {
    const { message, author, amend, all, lines, index } = args;
    const [fixup, squash, reword] = [args.fixup, args.squash, args.reword].map((revision) =>
      revision === undefined ? undefined : checkRevision(revision),
    );
    if ([amend || undefined, fixup, squash, reword].filter((each) => each !== undefined).length > 1)
      throw new Error('Invalid arguments: expected at most one of amend, fixup, squash and reword');
    if (reword !== undefined && (all || (args.files ?? author) !== undefined))
      throw new Error('Invalid arguments: reword takes only a message');
    if (fixup !== undefined && author !== undefined)
      throw new Error('Invalid author: a fixup keeps that of the commit');
    const { top } = await repository.layout();
    const paths = args.files && workTreePaths(args.files, top);
    if (lines && (paths?.length !== 1 || all))
      throw new Error('Invalid lines: expected exactly one file, and not all');
    const selection = lines && { lines, index };
    const what = { message, author, amend, fixup, squash, reword, paths, selection, all };
    const made = await makeCommit(repository, { ...what, allowEmpty: args.allow_empty });
    // A soft reset leaves all committed files staged, also the files that this call has staged.
    const kept = paths && made.hadStaged ? ', which leaves the files staged' : '';
    const undo = undoText(made);
    const counts = reword === undefined ? sizeText(made.size) + copiedText(made) + leftText(made.left) : '';
    const done = reword !== undefined ? 'Reworded' : fixup === undefined ? 'Committed' : 'Fixed up';
    const on = made.branch === undefined ? '' : ` on ${escapeName(made.branch)}`;
    return `${done}${on}: ${commitLine(made.commit)}${counts}${undo && undo + kept}`;
  },
});

function undoText({ before, hadStaged }: CommitMade): string {
  const mode = hadStaged ? 'soft' : 'mixed';
  return before === undefined
    ? ''
    : `; to undo: git_reset with mode "${mode}" and revision ${before.slice(0, 10)}`;
}

function copiedText({ copied }: CommitMade): string {
  return copied === 0 ? '' : `; ${countText(copied, 'later commit')} copied`;
}

function sizeText({ files, added, deleted }: CommitSize): string {
  return files === 0 ? '; no file changed' : `; ${countText(files, 'file')}, +${added} −${deleted}`;
}

function leftText(entries: readonly StatusEntry[]): string {
  return entries.length === 0 ? '' : `; left: ${remainingText(entries)}`;
}
