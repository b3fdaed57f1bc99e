import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import {
  checkRevisionOrRange,
  type DiffOptions,
  filtersNote,
  hasDisabledFilters,
  pageText,
  readDiffPage,
} from '@mcp/safe-git';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

/** The arguments that all three tools take. */
const diffArguments = {
  ...repositoryArgument,
  context_lines: z.int().min(0).max(1_000).default(3),
  paths: z.array(z.string()).optional().describe('Only these files and directories'),
  stat: z.boolean().default(false).describe('Only the lines per file'),
  cursor: z.string().optional().describe('From the previous page'),
};

type DiffArguments = z.infer<z.ZodObject<typeof diffArguments>>;

/** Shows a page of a diff; `empty` is the answer if there is no difference. */
async function showDiff(
  of: DiffOptions['of'],
  { repo_path, context_lines: contextLines, paths, stat, cursor }: DiffArguments,
  call: Call<Git>,
  empty: string,
): Promise<string> {
  const repository = call.context.repositories.at(repo_path, call);
  const page = await readDiffPage(repository, { of, contextLines, paths, stat }, cursor);
  const shown = pageText(page, empty);
  const isOdd =
    of === 'unstaged' && page.text !== '' && cursor === undefined && (await hasDisabledFilters(repository));
  return isOdd ? `${filtersNote}\n\n${shown}` : shown;
}

const annotations = { readOnlyHint: true, openWorldHint: false };

export const gitDiffUnstaged = defineTool({
  name: 'git_diff_unstaged',
  title: 'Unstaged changes',
  description: 'Shows unstaged changes: lines per file, then the diff, in pages.',
  annotations,
  inputSchema: z.object(diffArguments),
  run: (args, call: Call<Git>) => showDiff('unstaged', args, call, 'No unstaged changes'),
});

export const gitDiffStaged = defineTool({
  name: 'git_diff_staged',
  title: 'Staged changes',
  description: 'Shows staged changes: lines per file, then the diff, in pages.',
  annotations,
  inputSchema: z.object(diffArguments),
  run: (args, call: Call<Git>) => showDiff('staged', args, call, 'Nothing is staged'),
});

export const gitDiff = defineTool({
  name: 'git_diff',
  title: 'Diff',
  description:
    'Compares the work tree with a revision, or two revisions as a..b; a...b compares b with the merge base. In pages.',
  annotations,
  inputSchema: z.object({ target: z.string().describe('Revision, a..b or a...b'), ...diffArguments }),
  run: ({ target, ...args }, call: Call<Git>) =>
    showDiff({ target: checkRevisionOrRange(target) }, args, call, 'No difference'),
});
