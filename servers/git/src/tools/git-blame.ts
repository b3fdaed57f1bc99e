import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { blame, type BlameHunk } from '../backend/commands/blame.ts';
import { displayName, displayText, quoted } from '../backend/display-name.ts';
import { functionRange } from '../backend/commands/line-range.ts';
import { isShallow } from '../backend/queries/in-progress-operation.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { workTreePath } from '../backend/access/work-tree-path.ts';
import { SymlinkedPaths } from '../backend/access/symlinked-paths.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { countText } from '../text/count-text.ts';

/** Of ranges, and of lines with their text. */
const maxLines = 3_000;
const maxTextLines = 300;

export const gitBlame = defineTool({
  name: 'git_blame',
  title: 'Blame',
  description: 'Shows the commit that last changed each range of lines of a file.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    path: z.string(),
    revision: z.string().optional().describe('Defaults to the work tree'),
    start_line: z.int().min(1).default(1),
    end_line: z.int().min(1).optional(),
    function: z.string().optional().describe('Only this function'),
    text: z.boolean().default(false).describe('Also the lines'),
  }),

  async run(args, { repositories }: Git, { signal, progress }) {
    const { path, revision, start_line: start, end_line, text: withText, function: name } = args;
    const from = revision === undefined ? undefined : checkRevision(revision);
    if (end_line !== undefined && end_line < start)
      throw new Error('Invalid end_line: it is before start_line');
    const limit = withText ? maxTextLines : maxLines;
    const end = Math.min(end_line ?? Infinity, start + limit - 1);
    const range = name === undefined ? `${start},${end}` : functionRange(name);
    const repository = repositories.at(args.repo_path);
    const { top } = await repository.layout();
    const inside = workTreePath(path, top);
    if (from === undefined && new SymlinkedPaths(top).has(Buffer.from(inside)))
      throw new Error(`No such file, or beyond a symlink: ${quoted(path)}`);
    const command = blame({ path: inside, revision: from, range });
    const hunks = firstLines(await repository.run(command, { signal, progress }), limit);
    const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    const last = hunks.at(-1);
    const next = count === limit && last && end_line !== end ? last.line + last.lines.length : undefined;
    if (hunks.length === 0) return 'The file is empty';
    const ranges = `${countText(hunks.length, 'range')} of ${countText(count, 'line')}`;
    const shallow = isShallow(await repository.layout()) && hunks.some(({ boundary }) => boundary);
    return [
      ...hunks.map((hunk) => hunkText(hunk, withText)),
      ...(shallow ? ['The history is shallow: lines of its first commit may be older'] : []),
      next === undefined ? ranges : `… ${ranges}; more with start_line ${next}`,
    ].join('\n');
  },
});

/** The hunks up to so many lines. */
function firstLines(hunks: readonly BlameHunk[], limit: number): BlameHunk[] {
  let left = limit;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}

function hunkText({ hash, author, date, subject, line, lines }: BlameHunk, withText: boolean): string {
  const range = lines.length === 1 ? `${line}` : `${line}-${line + lines.length - 1}`;
  const head = `${hash.slice(0, 10)} ${date.slice(0, 10)} ${displayName(author)}: ${displayName(subject)}`;
  if (!withText) return `${range} ${head}`;
  return [
    head,
    ...lines.map((text, index) => `${String(line + index).padStart(5)}\t${displayText(text)}`),
  ].join('\n');
}
