type Arguments = { readonly [name: string]: unknown };

/** The names by which the tools take a revision, and what is compared. */
export const revisionNames = ['revision', 'commit', 'commit_hash', 'hash', 'sha', 'ref', 'rev', 'object'];
export const targetNames = ['target', 'ref', 'rev', 'revision', 'range'];

/** The first text among these arguments. */
export function textIn(args: Arguments, names: readonly string[]): string | undefined {
  return names.map((name) => args[name]).find((value) => typeof value === 'string');
}

/** The paths of a call, by each of the names that the tools understand. */
export function pathsIn(args: Arguments): readonly unknown[] | undefined {
  const lists = ['paths', 'files', 'file_paths'].map((name) => args[name]);
  const one = textIn(args, ['path', ...pathNames, 'paths', 'files']);
  return lists.find((value) => Array.isArray(value)) ?? (one === undefined ? undefined : [one]);
}

/** Arguments of `git_log` that say what its text is about: the page shows all of the history. */
const ofText = ['max_count', 'limit', 'n', 'count', 'patch', 'stat', 'full', 'reflog', 'cursor'];
/** The names by which the tools take the repository, and a file. */
export const repositoryNames = ['repo_path', 'repo', 'repository', 'cwd', 'working_directory'];
const pathNames = ['file', 'file_path', 'filename'];

/** The arguments that select commits. */
export function historyFilter(args: Arguments): Arguments {
  const left = [...ofText, ...repositoryNames];
  return Object.fromEntries(
    Object.entries(args).filter(
      ([name, value]) => !left.includes(name) && value !== false && value !== undefined,
    ),
  );
}

/** The file of a call of `git_blame`, its revision, and the function or the line from which it is shown. */
export function blameArguments(args: Arguments) {
  const start = args['start_line'] ?? args['line_start'];
  return {
    path: textIn(args, ['path', ...pathNames]) ?? '',
    revision: textIn(args, revisionNames),
    ...(typeof start === 'number' && start > 1 && { start_line: start }),
    ...(typeof args['function'] === 'string' && { function: args['function'] }),
  };
}
