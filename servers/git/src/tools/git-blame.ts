import { defineTool, toolResult } from '@mcp/protocol';
import * as z from 'zod';
import { blame, type BlameHunk } from '../backend/commands/blame.ts';
import { displayName, displayText, quoted } from '../backend/display-name.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { workTreePath } from '../backend/access/work-tree-path.ts';
import { SymlinkedPaths } from '../backend/access/symlinked-paths.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

const limit = 300;

export const gitBlame = defineTool({
  name: 'git_blame',
  title: 'Blame',
  description: `Shows the commit that last changed each line of a file; at most ${limit} lines.`,
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    path: z.string(),
    revision: z.string().optional().describe('Defaults to the work tree'),
    start_line: z.int().min(1).default(1),
    end_line: z.int().min(1).optional(),
  }),
  outputSchema: z.object({
    hunks: z.array(
      z.object({
        hash: z.string(),
        author: z.string(),
        email: z.string(),
        date: z.string(),
        subject: z.string(),
        line: z.int(),
        lines: z.array(z.string()),
      }),
    ),
    nextLine: z.int().optional(),
  }),

  async run(
    { repo_path, path, revision, start_line, end_line },
    { repositories }: Git,
    { signal, progress },
  ) {
    const from = revision === undefined ? undefined : checkRevision(revision);
    if (end_line !== undefined && end_line < start_line)
      throw new Error('Invalid end_line: it is before start_line');
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    const end = Math.min(end_line ?? Infinity, start_line + limit - 1);
    const inside = workTreePath(path, top);
    if (from === undefined && new SymlinkedPaths(top).has(Buffer.from(inside)))
      throw new Error(`No such file, or beyond a symlink: ${quoted(path)}`);
    const command = blame({ path: inside, revision: from, start: start_line, end });
    const hunks = await repository.run(command, { signal, progress });
    const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    const next = count === limit && end_line !== end ? end + 1 : undefined;
    const text = hunks.map(hunkText).join('\n');
    return toolResult({
      content: next === undefined ? text : `${text}\n… more with start_line ${next}`,
      structuredContent: {
        hunks: hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] })),
        ...(next !== undefined && { nextLine: next }),
      },
    });
  },
});

function hunkText({ hash, author, date, subject, line, lines }: BlameHunk): string {
  const head = `${hash.slice(0, 10)} ${date.slice(0, 10)} ${displayName(author)}: ${displayName(subject)}`;
  return [
    head,
    ...lines.map((text, index) => `${String(line + index).padStart(5)}\t${displayText(text)}`),
  ].join('\n');
}
