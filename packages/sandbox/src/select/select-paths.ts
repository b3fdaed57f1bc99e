import type { FindOptions, Found } from '../list/find-files.ts';
import type { Kind } from '../file-kind.ts';
import { leftOutLines } from './left-out.ts';
import { nearMissesText } from './near-misses-text.ts';

const maxPaths = 1_000;
const maxMatches = 10_000;

/** Paths as a caller names them: one path, several paths, or all paths that match a glob in a directory. */
export interface PathSelection {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly glob?: string | undefined;
}

export interface SelectOptions extends Omit<FindOptions, 'limit'> {
  /** The name of the argument `path` in errors. Default: `path`. */
  name?: string | undefined;
  /** The advice in the error if a glob matches too many paths. Default: `narrow the glob`. */
  tooMany?: string | undefined;
}

export interface SelectedPaths {
  readonly paths: readonly string[];
  /** Whether the caller named a single path, neither a list nor a glob. */
  readonly isOne: boolean;
  /** The directory in which a glob was matched, as the prefix with which the paths begin. */
  readonly prefix?: string;
  /** The number of matches left out in skipped directories such as `node_modules`, by directory name. */
  readonly leftOut?: ReadonlyMap<string, number> | undefined;
  /** All directories above the matches that `leftOut` counts. */
  readonly leftOutIn?: ReadonlySet<string> | undefined;
}

/** The methods of a sandbox that a selection uses. */
export interface Finder {
  find(path: string, pattern: string, options?: FindOptions): Promise<Found>;
  answerPrefix(directory: string): string;
}

/** Returns the selected paths. Throws if arguments conflict or a glob has no match. */
export async function selectPaths(
  finder: Finder,
  { path, paths, glob }: PathSelection,
  { name = 'path', tooMany = 'narrow the glob', ...filter }: SelectOptions = {},
): Promise<SelectedPaths> {
  if (glob === undefined) {
    if ((path === undefined) === (paths === undefined)) throw new Error(`Give either ${name} or ${name}s`);
    if (paths && (paths.length === 0 || paths.length > maxPaths))
      throw new Error(`${name}s has ${paths.length} paths; expected 1 to ${maxPaths}`);
    return { paths: paths ?? [path!], isOne: paths === undefined };
  }
  if (paths !== undefined) throw new Error(`Give either ${name}s, or glob with a directory as ${name}`);
  const directory = path ?? '.';
  const found = await finder.find(directory, glob, { ...filter, limit: maxMatches });
  if (found.total === 0) {
    const ignored = filter.gitignored ? '' : '; files that .gitignore excludes are not searched';
    const near = nearMissesText(found.nearMisses);
    const [leftOut] = leftOutLines(found.leftOut);
    const inside = leftOut === undefined ? '' : `; ${leftOut}`;
    throw new Error(
      `No match for ${JSON.stringify(glob)} in ${JSON.stringify(directory)}${near}${ignored}${inside}`,
    );
  }
  if (found.more) throw new Error(`${found.total} paths match, more than ${maxMatches} per call; ${tooMany}`);
  return {
    paths: found.matches.map((match) => match.path),
    isOne: false,
    prefix: finder.answerPrefix(found.path),
    leftOut: found.leftOut,
    leftOutIn: found.leftOutIn,
  };
}

/**
 * All kinds except directories. For a move, copy or deletion, a glob selects directories only if the caller
 * requests it.
 */
export const leafKinds: readonly Kind[] = ['file', 'symlink', 'fifo', 'socket', 'device'];
