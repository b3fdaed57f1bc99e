import type { Call } from '@mcp/protocol';
import * as z from 'zod';
import type { Kind } from '../backend/file-kind.ts';
import type { FindOptions } from '../backend/list/find-files.ts';
import type { Filesystem } from '../context.ts';
import { leftOutLines } from '../text/left-out.ts';
import { nearMissesText } from '../text/no-match.ts';

const maxPaths = 1_000;
const maxMatches = 10_000;

export const severalPaths = z.array(z.string()).optional();
export const globInPath = z.string().optional();

/** The arguments that select paths: one path, several, or a glob in a directory. */
export interface PathSelection {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly glob?: string | undefined;
}

export interface SelectedPaths {
  readonly paths: readonly string[];
  /** Whether they were given as one path. */
  readonly isOne: boolean;
  /** The directory in which a glob was matched, as the paths begin with it. */
  readonly prefix?: string;
  /** The number of matches that a glob left out, by the name of their directory. */
  readonly leftOut?: ReadonlyMap<string, number> | undefined;
  /** The directories above these matches. */
  readonly leftOutIn?: ReadonlySet<string> | undefined;
}

/**
 * The selected paths. Throws unless either one path, several, or a glob is given, and where nothing matches.
 */
export async function selectPaths(
  { path, paths, glob }: PathSelection,
  { sandbox }: Filesystem,
  { signal }: Pick<Call, 'signal'>,
  options: Omit<FindOptions, 'limit'> & { name?: string; tooMany?: string } = {},
): Promise<SelectedPaths> {
  const { name = 'path', tooMany = 'narrow the glob', ...filter } = options;
  if (glob === undefined) {
    if ((path === undefined) === (paths === undefined)) throw new Error(`Give either ${name} or ${name}s`);
    if (paths && (paths.length === 0 || paths.length > maxPaths))
      throw new Error(`${name}s has ${paths.length} paths; expected 1 to ${maxPaths}`);
    return { paths: paths ?? [path!], isOne: paths === undefined };
  }
  if (paths !== undefined) throw new Error(`Give either ${name}s, or glob with a directory as ${name}`);
  const directory = path ?? '.';
  const found = await sandbox.find(directory, glob, { ...filter, limit: maxMatches, signal });
  if (found.total === 0) {
    const ignored = options.gitignored ? '' : '; a glob matches no ignored files';
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
    prefix: sandbox.answerPrefix(found.path),
    leftOut: found.leftOut,
    leftOutIn: found.leftOutIn,
  };
}

/** The kinds that a glob selects for a change, unless directories are requested too. */
export const leafKinds: readonly Kind[] = ['file', 'symlink', 'fifo', 'socket', 'device'];
