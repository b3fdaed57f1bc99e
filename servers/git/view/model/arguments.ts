type Arguments = { readonly [name: string]: unknown };

/** The names by which the tools take a revision, and what is compared. */
export const revisionNames = ['revision', 'commit', 'commit_hash', 'hash', 'sha', 'ref', 'rev', 'object'];
export const targetNames = ['target', 'ref', 'rev', 'revision', 'range'];

/** The first of these arguments that a call has. */
export function firstOf(args: Arguments, names: readonly string[]): unknown {
  return names.map((name) => args[name]).find((value) => value !== undefined);
}

/** Arguments of `git_log` that say what its text is about: the page shows all of the history. */
const ofText = ['max_count', 'limit', 'n', 'count', 'patch', 'stat', 'full', 'reflog', 'cursor'];
const ofRepository = ['repo_path', 'repo', 'repository', 'cwd', 'working_directory'];

/** The arguments that select commits. */
export function historyFilter(args: Arguments): Arguments {
  const left = [...ofText, ...ofRepository];
  return Object.fromEntries(
    Object.entries(args).filter(
      ([name, value]) => !left.includes(name) && value !== false && value !== undefined,
    ),
  );
}

/** The file of a call of `git_blame`, its revision, and the function or the line from which it is shown. */
export function blameArguments(args: Arguments) {
  const revision = firstOf(args, revisionNames);
  const start = firstOf(args, ['start_line', 'line_start']);
  return {
    path: String(firstOf(args, ['path', 'file', 'file_path', 'filename']) ?? ''),
    revision: typeof revision === 'string' ? revision : undefined,
    ...(typeof start === 'number' && start > 1 && { start_line: start }),
    ...(typeof args['function'] === 'string' && { function: args['function'] }),
  };
}
