import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { readLogPage } from '../backend/queries/log-page.ts';
import { checkDate, checkRevisionOrRange } from '../backend/commands/validate-revision.ts';
import { workTreePath } from '../backend/access/work-tree-path.ts';
import type { Commit } from '../backend/commands/log.ts';
import type { Git } from '../context.ts';
import { commitLine } from '../text/commit-line.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

const person = z.object({ name: z.string(), email: z.string() });

export const gitLog = defineTool({
  name: 'git_log',
  title: 'Log',
  description: 'Lists commits, newest first.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    max_count: z.int().min(1).max(1_000).default(10),
    start_timestamp: z.string().optional().describe('ISO 8601, or such as "2 weeks ago"'),
    end_timestamp: z.string().optional(),
    revision: z.string().optional().describe('Revision or range a..b; defaults to HEAD'),
    path: z.string().optional().describe('Only commits that change it'),
    author: z.string().optional().describe('Part of a name or address'),
    grep: z.string().optional().describe('Part of a message'),
    changed_text: z.string().min(1).optional().describe('Text that they add or remove'),
    cursor: z.string().optional(),
  }),
  outputSchema: z.object({
    commits: z.array(
      z.object({
        hash: z.string(),
        parents: z.array(z.string()),
        author: person,
        authored: z.string(),
        committer: person.optional(),
        committed: z.string().optional(),
        message: z.string(),
      }),
    ),
    nextCursor: z.string().optional(),
  }),

  async run(args, { repositories }: Git, { signal, progress }) {
    const { start_timestamp: since, end_timestamp: until, revision, path } = args;
    const filter = {
      from: revision === undefined ? undefined : checkRevisionOrRange(revision),
      since: since === undefined ? undefined : checkDate(since),
      until: until === undefined ? undefined : checkDate(until),
      author: part(args.author),
      grep: part(args.grep),
      changedText: part(args.changed_text),
    };
    const repository = repositories.at(args.repo_path);
    const { top } = await repository.layout();
    const options = {
      ...filter,
      max: args.max_count,
      path: path === undefined ? undefined : workTreePath(path, top),
    };
    const { commits, nextCursor } = await readLogPage(repository, options, args.cursor, { signal, progress });
    const lines = commits.map(commitLine);
    if (nextCursor !== undefined) lines.push(`… more with cursor "${nextCursor}"`);
    return toolResult({
      content: lines.join('\n') || 'No commits',
      structuredContent: {
        commits: commits.map(facts),
        ...(nextCursor !== undefined && { nextCursor }),
      },
    });
  },
});

/** The committer and the time are omitted where they are those of the author. */
function facts({ committer, committed, parents, ...commit }: Commit) {
  const { author, authored } = commit;
  const same = committer.name === author.name && committer.email === author.email;
  return {
    ...commit,
    parents: [...parents],
    ...(!same && { committer }),
    ...(committed !== authored && { committed }),
  };
}

/** Text to search for, which git gets in one argument with its option. */
function part(text: string | undefined): string | undefined {
  if (text?.includes('\0')) throw new Error('Invalid text: it contains a NUL');
  return text;
}
