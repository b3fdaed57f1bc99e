import type { Call, Tool } from '@mcp/protocol';
import type { Repository } from '../backend/repository.ts';
import type { Git } from '../context.ts';

interface WritingArguments {
  readonly repo_path?: string;
  readonly mode?: string;
  readonly staged?: boolean;
  readonly action?: string;
  readonly path?: string;
}

/** The tools that write tracked files, and the arguments with which they do. */
const writesFiles: { readonly [tool: string]: (args: WritingArguments) => boolean } = {
  git_checkout: () => true,
  git_create_branch: () => true,
  git_integrate: () => true,
  git_pull: () => true,
  git_stash: () => true,
  git_reset: ({ mode }) => mode === 'hard',
  git_restore: ({ staged }) => !staged,
};

/** The tools that write all files of a commit to a new directory. */
const writesDirectory: { readonly [tool: string]: (args: WritingArguments) => boolean } = {
  git_clone: () => true,
  git_worktree: ({ action }) => action === 'add',
};

/** The same tools; their answers name the files that git has written without the filter of the file. */
export function noteUnfiltered(tools: readonly Tool<Git>[]): Tool<Git>[] {
  return tools.map((tool) => {
    const writes = writesFiles[tool.name] ?? writesDirectory[tool.name];
    if (!writes) return tool;
    const run = async (args: WritingArguments, context: Git, call: Call) => {
      if (!writes(args)) return tool.run(args, context, call);
      // A failure to find the note is ignored.
      const noteOf = await startNote(tool.name, args, context, call).catch(() => undefined);
      const result = await tool.run(args, context, call);
      if (!noteOf || typeof result !== 'string') return result;
      const note = await noteOf().catch(() => undefined);
      return note === undefined ? result : `${result}\n${note}`;
    };
    return Object.create(tool, { run: { value: run } }) as Tool<Git>;
  });
}

/** Returns a function that finds the note after the call; undefined if no filter is disabled. */
async function startNote(
  tool: string,
  { repo_path, path }: WritingArguments,
  { repositories }: Git,
  call: Call,
): Promise<(() => Promise<string | undefined>) | undefined> {
  if (tool in writesDirectory) return async () => noteOn(await allUnfiltered(repositories.at(path), call));
  const repository = repositories.at(repo_path);
  const { mayHaveFilters } = await import('../backend/queries/disabled-filters.ts');
  if (!(await mayHaveFilters(repository, [], 'smudge'))) return undefined;
  const { unfilteredSince, workTreeState } = await import('../backend/queries/unfiltered-files.ts');
  const before = await workTreeState(repository, call);
  return async () => noteOn(await unfilteredSince(repository, before, call));
}

async function allUnfiltered(repository: Repository, call: Call): Promise<string[]> {
  const { unfilteredFiles } = await import('../backend/queries/unfiltered-files.ts');
  return unfilteredFiles(repository, call);
}

async function noteOn(paths: readonly string[]): Promise<string | undefined> {
  const { unfilteredNote } = await import('../text/filters-note.ts');
  return paths.length === 0 ? undefined : unfilteredNote(paths);
}
