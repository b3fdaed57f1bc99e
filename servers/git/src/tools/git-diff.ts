import * as z from 'zod';
import {
  checkRevisionOrRange,
  type DiffOptions,
  filtersNote,
  hasDisabledFilters,
  pageText,
  readDiffPage,
  type Repository,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

const args = {
  context_lines: z.int().min(0).max(1_000).default(3),
  paths: z.array(z.string()).optional().describe('Only these files and directories'),
  stat: z.boolean().default(false).describe('Only the lines per file'),
  cursor: z.string().optional().describe('From the previous page'),
};

/** Shows a page of a diff; `empty` is the answer if there is no difference. */
async function showDiff(
  repository: Repository,
  of: DiffOptions['of'],
  { context_lines: contextLines, paths, stat, cursor }: z.infer<z.ZodObject<typeof args>>,
  empty: string,
): Promise<string> {
  const page = await readDiffPage(repository, { of, contextLines, paths, stat }, cursor);
  const shown = pageText(page, empty);
  const isOdd =
    of === 'unstaged' && page.text !== '' && cursor === undefined && (await hasDisabledFilters(repository));
  return isOdd ? `${filtersNote}\n\n${shown}` : shown;
}

const annotations = { readOnlyHint: true, openWorldHint: false };

export const gitDiffUnstaged = repositoryTool({
  name: 'git_diff_unstaged',
  title: 'Unstaged changes',
  description: 'Shows unstaged changes: lines per file, then the diff, in pages.',
  annotations,
  args,
  run: (repository, given) => showDiff(repository, 'unstaged', given, 'No unstaged changes'),
});

export const gitDiffStaged = repositoryTool({
  name: 'git_diff_staged',
  title: 'Staged changes',
  description: 'Shows staged changes: lines per file, then the diff, in pages.',
  annotations,
  args,
  run: (repository, given) => showDiff(repository, 'staged', given, 'Nothing is staged'),
});

export const gitDiff = repositoryTool({
  name: 'git_diff',
  title: 'Diff',
  description:
    'Compares the work tree with a revision, or two revisions as a..b; a...b compares b with the merge base. In pages.',
  annotations,
  args: { target: z.string().describe('Revision, a..b or a...b'), ...args },
  run: (repository, { target, ...given }) =>
    showDiff(repository, { target: checkRevisionOrRange(target) }, given, 'No difference'),
});
