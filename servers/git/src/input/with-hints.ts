import { type Call, type Tool, type ToolResult, toolResult } from '@mcp/protocol';
import {
  mayHaveFilters,
  NotFoundError,
  unfilteredFiles,
  unfilteredNote,
  unfilteredSince,
  withNearestNames,
  workTreeState,
} from '@mcp/safe-git';
import type { Git } from '../context.ts';
import { withRemedy } from './remedy.ts';
import { type Selecting, selectedRepository } from './selected-repository.ts';

/** The arguments that hints depend on. */
interface HintArguments extends Selecting {
  readonly mode?: string;
  readonly staged?: boolean;
  readonly action?: string;
  readonly path?: string;
}

/** The tools that can write tracked files; a function of the arguments tells whether a call does. */
const writesFiles: { readonly [tool: string]: (args: HintArguments) => boolean } = {
  git_bisect: () => true,
  git_checkout: () => true,
  git_create_branch: () => true,
  git_integrate: () => true,
  git_pull: () => true,
  git_stash: () => true,
  git_reset: ({ mode }) => mode === 'hard',
  git_restore: ({ staged }) => !staged,
};

/** The tools that can write all files of a commit to a new directory. */
const writesDirectory: { readonly [tool: string]: (args: HintArguments) => boolean } = {
  git_clone: () => true,
  git_worktree: ({ action }) => action === 'add',
};

/**
 * Adds similar names to error messages. Filters such as that of Git LFS do not run in an untrusted
 * repository, so adds to answers which files git has written without their filter.
 */
export function withHints(tools: readonly Tool<Git>[]): Tool<Git>[] {
  return tools.map((tool) => ({
    ...tool,
    async run(given: unknown, call: Call<Git>) {
      const args = given as HintArguments;
      // If the search for files without their filter fails, the answer has no such note.
      const unfiltered = await watchFilters(tool.name, args, call).catch(() => undefined);
      let result: unknown;
      try {
        result = await tool.run(args, call);
      } catch (error) {
        if (!(error instanceof NotFoundError) || !error.missing) throw withRemedy(error);
        throw await withNearestNames(selectedRepository(args, call), error);
      }
      const told = isToolResult(result) ? result : undefined;
      const text = told ? told.content : result;
      const paths = typeof text === 'string' ? await unfiltered?.().catch(() => []) : undefined;
      if (!paths || paths.length === 0) return result;
      const content = `${String(text)}\n${unfilteredNote(paths)}`;
      return told ? toolResult({ content, structuredContent: told.structuredContent }) : content;
    },
  }));
}

function isToolResult(result: unknown): result is ToolResult {
  return typeof result === 'object' && result !== null && 'structuredContent' in result;
}

/**
 * Returns a function that finds the files that git writes without their filter during the call. Undefined if
 * the call writes no files, or if no file can have a filter.
 */
async function watchFilters(
  tool: string,
  args: HintArguments,
  call: Call<Git>,
): Promise<(() => Promise<string[]>) | undefined> {
  const { repositories } = call.context;
  if (writesDirectory[tool]?.(args)) return async () => unfilteredFiles(repositories.at(args.path, call));
  if (!writesFiles[tool]?.(args)) return undefined;
  const repository = selectedRepository(args, call);
  if (!(await mayHaveFilters(repository, [], 'smudge'))) return undefined;
  const before = await workTreeState(repository);
  return () => unfilteredSince(repository, before);
}
