import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { commit } from '../backend/commands/commit.ts';
import { log } from '../backend/commands/log.ts';
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
    author: z.string().optional().describe('Name <email>'),
    amend: z.boolean().default(false).describe('Replace the last commit'),
    allow_empty: z.boolean().default(false),
  }),
  outputSchema: z.object({ commit: z.string(), branch: z.string().optional(), parents: z.array(z.string()) }),

  async run({ repo_path, message, author, amend, allow_empty }, { repositories }: Git, { signal, progress }) {
    const repository = repositories.at(repo_path);
    const { trusted } = repository;
    const command = commit({ message, author, amend, allowEmpty: allow_empty, trusted });
    const [made, branch] = await repository.withLock(async () => {
      await repository.runLocked(command, { signal, progress });
      const [[last], head] = await Promise.all([
        repository.runLocked(log({ max: 1 })),
        repository.runLocked(branchOfHead),
      ]);
      return [last!, head] as const;
    });
    return toolResult({
      content: `Committed${branch === undefined ? '' : ` on ${branch}`}: ${commitLine(made)}`,
      structuredContent: {
        commit: made.hash,
        ...(branch !== undefined && { branch }),
        parents: [...made.parents],
      },
    });
  },
});
