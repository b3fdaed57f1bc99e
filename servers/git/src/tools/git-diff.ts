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
import { repositoryTool, type Told } from '../input/repository-tool.ts';
import { diffFacts, diffSchema } from '../text/facts.ts';
import { repositoryView } from '../views.ts';

const args = {
  context_lines: z.int().min(0).max(1_000).default(3),
  paths: z.array(z.string()).optional().describe('Only these files and directories'),
  stat: z.boolean().default(false).describe('Only line counts per file'),
  cursor: z.string().optional().describe('From the previous page'),
};

/** Shows a page of a diff; `empty` is the answer if there is no difference. */
async function showDiff(
  repository: Repository,
  of: DiffOptions['of'],
  { context_lines: contextLines, paths, stat, cursor }: z.infer<z.ZodObject<typeof args>>,
  { empty, rows }: { readonly empty: string; readonly rows: boolean },
): Promise<Told> {
  const page = await readDiffPage(repository, { of, contextLines, paths, stat, rows }, cursor);
  const shown = pageText(page, empty);
  const isOdd =
    of === 'unstaged' && page.text !== '' && cursor === undefined && (await hasDisabledFilters(repository));
  const text = isOdd ? `${filtersNote}\n\n${shown}` : shown;
  return { text, facts: diffFacts(page.files, page.nextCursor) };
}

const annotations = { readOnlyHint: true, openWorldHint: false };

export const gitDiffUnstaged = repositoryTool({
  name: 'git_diff_unstaged',
  title: 'Unstaged changes',
  description: 'Shows unstaged changes: line counts per file, then the diff, in pages.',
  annotations,
  view: repositoryView,
  args,
  facts: diffSchema,
  run: (repository, given, { context: { structured: rows } }) =>
    showDiff(repository, 'unstaged', given, { empty: 'No unstaged changes', rows }),
});

export const gitDiffStaged = repositoryTool({
  name: 'git_diff_staged',
  title: 'Staged changes',
  description: 'Shows staged changes: line counts per file, then the diff, in pages.',
  annotations,
  view: repositoryView,
  args,
  facts: diffSchema,
  run: (repository, given, { context: { structured: rows } }) =>
    showDiff(repository, 'staged', given, { empty: 'Nothing is staged', rows }),
});

export const gitDiff = repositoryTool({
  name: 'git_diff',
  title: 'Diff',
  description:
    'Compares the work tree with a revision, or two revisions as a..b; a...b compares b with the merge base. In pages.',
  annotations,
  view: repositoryView,
  args: { target: z.string().describe('Revision, a..b or a...b'), ...args },
  facts: diffSchema,
  run: (repository, { target, ...given }, { context: { structured: rows } }) =>
    showDiff(repository, { target: checkRevisionOrRange(target) }, given, { empty: 'No difference', rows }),
});
