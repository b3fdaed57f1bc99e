import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import { rewordCommit } from '../backend/actions/reword-commit.ts';
import { squashCommits } from '../backend/actions/squash-commits.ts';
import { stageFiles } from '../backend/actions/stage-files.ts';
import { commit } from '../backend/commands/commit.ts';
import { hasStaged } from '../backend/commands/staging.ts';
import { log } from '../backend/commands/log.ts';
import { displayName } from '../backend/display-name.ts';
import { commitHash } from '../backend/commands/rev-parse.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { branchOfHead } from '../backend/queries/head.ts';
import type { Git } from '../context.ts';
import { commitLine } from '../text/commit-line.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitCommit = defineTool({
  name: 'git_commit',
  title: 'Commit',
  description: 'Commits the staged changes, with the message unchanged.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    message: z.string(),
    files: z.array(z.string()).min(1).optional().describe('Stage these first, as git_add does'),
    author: z.string().optional().describe('Name <email>'),
    amend: z.boolean().default(false).describe('Replace the last commit'),
    squash: z.string().optional().describe('Replace all commits after this revision'),
    reword: z.string().optional().describe('Only replace the message of this revision'),
    allow_empty: z.boolean().default(false),
  }),

  async run(args, { repositories }: Git, { signal, progress }) {
    const { repo_path, message, author, amend, allow_empty: allowEmpty } = args;
    const squash = args.squash === undefined ? undefined : checkRevision(args.squash);
    const reword = args.reword === undefined ? undefined : checkRevision(args.reword);
    if ([amend, squash !== undefined, reword !== undefined].filter(Boolean).length > 1)
      throw new Error('Invalid arguments: expected one of amend, squash and reword');
    if (reword !== undefined && (args.files ?? author) !== undefined)
      throw new Error('Invalid arguments: reword takes only a message');
    const repository = repositories.at(repo_path);
    const call = { signal, progress };
    const options = { message, author, amend, allowEmpty, trusted: repository.trusted };
    const command = commit(options);
    const { top } = await repository.layout();
    const paths = args.files && workTreePaths(args.files, top);
    const [made, branch, before, hadStaged] = await repository.withLock(async () => {
      const replaces = amend || squash !== undefined;
      const hadStaged = !paths || !replaces || (await repository.runLocked(hasStaged, call));
      if (paths) await stageFiles(repository, paths, call);
      let replaced: string | undefined;
      if (reword !== undefined) replaced = await rewordCommit(repository, reword, message, call);
      else if (squash !== undefined) replaced = await squashCommits(repository, squash, options, call);
      else {
        if (amend) replaced = await repository.runLocked(commitHash('HEAD'), call);
        await repository.runLocked(command, call);
      }
      const [[last], head] = await Promise.all([
        repository.runLocked(log({ max: 1 })),
        repository.runLocked(branchOfHead),
      ]);
      return [last!, head, replaced, hadStaged] as const;
    });
    const done = reword === undefined ? 'Committed' : 'Reworded';
    // A soft reset leaves all committed files staged, also the files that this call has staged.
    const kept = paths && hadStaged ? ' but leaves the files staged' : '';
    const mode = hadStaged ? 'soft' : 'mixed';
    const undo = before === undefined ? '' : `; git_reset ${mode} to ${before.slice(0, 10)} undoes it${kept}`;
    return `${done}${branch === undefined ? '' : ` on ${displayName(branch)}`}: ${commitLine(made)}${undo}`;
  },
});
