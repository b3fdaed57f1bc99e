import type { Call, Tool } from '@mcp/protocol';
import type { Repository } from '../backend/repository.ts';
import type { Git } from '../context.ts';

interface WritingArguments {
  readonly repo_path?: string;
  readonly mode?: string;
  readonly staged?: boolean;
}

/** The tools that write tracked files, and with which arguments. */
const writesFiles: { readonly [tool: string]: (args: WritingArguments) => boolean } = {
  git_checkout: () => true,
  git_create_branch: () => true,
  git_integrate: () => true,
  git_pull: () => true,
  git_stash: () => true,
  git_reset: ({ mode }) => mode === 'hard',
  git_restore: ({ staged }) => !staged,
};

/** The same tools; their answers name the files that git has written without the filter of the file. */
export function noteUnfiltered(tools: readonly Tool<Git>[]): Tool<Git>[] {
  return tools.map((tool) => {
    const writes = writesFiles[tool.name];
    if (!writes) return tool;
    const run = async (args: WritingArguments, context: Git, call: Call) => {
      if (!writes(args)) return tool.run(args, context, call);
      const repository = context.repositories.at(args.repo_path);
      // The note is not worth an error.
      const noteOf = await startNote(repository, call).catch(() => undefined);
      const result = await tool.run(args, context, call);
      if (!noteOf || typeof result !== 'string') return result;
      const note = await noteOf().catch(() => undefined);
      return note === undefined ? result : `${result}\n${note}`;
    };
    return Object.create(tool, { run: { value: run } }) as Tool<Git>;
  });
}

async function startNote(repository: Repository, call: Call) {
  const { mayHaveFilters } = await import('../backend/queries/disabled-filters.ts');
  if (!(await mayHaveFilters(repository, [], 'smudge'))) return undefined;
  const [{ unfilteredSince, workTreeState }, { unfilteredNote }] = await Promise.all([
    import('../backend/queries/unfiltered-files.ts'),
    import('../text/filters-note.ts'),
  ]);
  const before = await workTreeState(repository, call);
  return async () => {
    const paths = await unfilteredSince(repository, before, call);
    return paths.length === 0 ? undefined : unfilteredNote(paths);
  };
}
