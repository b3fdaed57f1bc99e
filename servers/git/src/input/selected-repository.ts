import type { Call } from '@mcp/protocol';
import type { Repository } from '@mcp/safe-git';
import type { Git } from '../context.ts';

export interface Selecting {
  readonly repo_path?: string | undefined;
  readonly path?: unknown;
  readonly paths?: unknown;
  readonly files?: unknown;
}

/** The repository of a call: the one that `repo_path` names, or the one in which all of its paths are. */
export function selectedRepository(args: Selecting, call: Call<Git>): Repository {
  const { repositories } = call.context;
  const { repo_path: named, path, paths, files } = args;
  if (named !== undefined) return repositories.at(named, call);
  const given = [path, paths, files].flat().filter((each) => typeof each === 'string');
  return repositories.withPaths(given)?.during(call) ?? repositories.at(undefined, call);
}
