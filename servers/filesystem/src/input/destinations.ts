import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import type { Call } from '@mcp/protocol';
import { quoted } from '../backend/display-name.ts';
import type { Filesystem } from '../context.ts';
import { globInPath, leafKinds, selectPaths, severalPaths } from './select-paths.ts';

/** The arguments of tools that move and copy. */
export const destinationArguments = {
  source: z.string().optional(),
  sources: severalPaths.describe('Instead of source'),
  glob: globInPath.describe('All in source that match; keeps subdirectories'),
  destination: z.string().optional().describe('New path, including the name; for several, a directory'),
  destinations: severalPaths.describe('New path of each of sources'),
  parents: z.boolean().optional().describe('Create missing directories'),
};

/** Other tools have a `path`. */
export const pathIsSource = {
  error: ({ code, keys }: { code?: string; keys?: readonly string[] }) =>
    code === 'unrecognized_keys' && keys?.includes('path') ? 'Here "path" is "source"' : undefined,
};

export interface DestinationArguments {
  readonly source?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly glob?: string | undefined;
  readonly destination?: string | undefined;
  readonly destinations?: readonly string[] | undefined;
  readonly parents?: boolean | undefined;
}

export interface Transfer {
  readonly source: string;
  readonly destination: string;
}

export interface Transfers {
  readonly transfers: readonly Transfer[];
  readonly isOne: boolean;
  readonly isGlob: boolean;
  /** The number of matches that a glob left out, by the name of their directory. */
  readonly leftOut?: ReadonlyMap<string, number> | undefined;
  /** The number of directories created for the destination of a glob: itself and its parents. */
  readonly newLevels: number;
  /** The number of all directories created for it. */
  readonly createdDirectories: number;
}

/** Sources and their destinations. Throws unless each source has one destination. */
export async function transfersOf(
  args: DestinationArguments,
  context: Filesystem,
  call: Pick<Call, 'signal'>,
): Promise<Transfers> {
  const { source, sources, glob, destination, destinations } = args;
  if ((destination === undefined) === (destinations === undefined))
    throw new Error('Give either destination or destinations');
  const selected = await selectPaths({ path: source, paths: sources, glob }, context, call, {
    name: 'source',
    kinds: leafKinds,
    gitignored: true,
    repositories: 'whole',
    emptyDirectories: true,
    tooMany: 'narrow the glob, or give the whole directory without one',
    exclude: glob === undefined ? [] : destinationInside(source ?? '.', destination, context),
  });
  const { paths, isOne, prefix, leftOut } = selected;
  if (destinations !== undefined) {
    if (destinations.length !== sources?.length)
      throw new Error(`destinations has ${destinations.length} paths and sources ${sources?.length ?? 0}`);
    const transfers = paths.map((path, index) => ({ source: path, destination: destinations[index]! }));
    return { transfers, isOne: false, isGlob: false, newLevels: 0, createdDirectories: 0 };
  }
  const target = destination!;
  const nameOf = (path: string) => (prefix === undefined ? keptName(path) : path.slice(prefix.length));
  const transfers = paths.map((path) => ({
    source: path,
    destination: isOne ? target : join(target, nameOf(path)),
  }));
  const created =
    prefix === undefined
      ? { newLevels: 0, createdDirectories: 0 }
      : await createDirectories(
          transfers,
          { source: source ?? '.', destination: target },
          args.parents,
          context,
        );
  return { transfers, isOne, isGlob: prefix !== undefined, leftOut, ...created };
}

/** Creates the missing parent directories of a path, if `parents` requests it; returns their number. */
export async function createParents(
  path: string,
  parents: boolean | undefined,
  { sandbox }: Filesystem,
): Promise<number> {
  return parents ? (await sandbox.createDirectory(dirname(path))).created : 0;
}

/** Creates the subdirectories that a glob keeps, in a destination that exists or is created on request. */
async function createDirectories(
  transfers: readonly Transfer[],
  { source, destination }: Transfer,
  parents: boolean | undefined,
  { sandbox }: Filesystem,
): Promise<Pick<Transfers, 'newLevels' | 'createdDirectories'>> {
  const newLevels = parents ? (await sandbox.createDirectory(destination, source)).created : 0;
  if (!parents) await sandbox.requireDirectory(destination);
  let createdDirectories = newLevels;
  // The path without a slash at its end.
  const seen = new Set([dirname(join(destination, 'entry'))]);
  for (const transfer of transfers)
    for (const { source: like, destination: path } of parentsOf(transfer, seen))
      createdDirectories += (await sandbox.createDirectory(path, like)).created;
  return { newLevels, createdDirectories };
}

/** The directories around a transfer that are not `seen` yet, the outermost first. */
function parentsOf({ source, destination }: Transfer, seen: Set<string>): Transfer[] {
  const parent = { source: dirname(source), destination: dirname(destination) };
  if (seen.has(parent.destination)) return [];
  seen.add(parent.destination);
  return [...parentsOf(parent, seen), parent];
}

function keptName(source: string): string {
  const name = basename(source);
  if (name === '' || name === '.' || name === '..')
    throw new Error(`A source needs a name to keep: ${quoted(source)}`);
  return name;
}

/** A glob for a destination inside the source, which is not moved or copied into itself. */
function destinationInside(
  source: string,
  destination: string | undefined,
  { sandbox }: Filesystem,
): string[] {
  const base = sandbox.directories[0] ?? sep;
  const inside = relative(resolve(base, source), resolve(base, destination ?? ''));
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) return [];
  return [
    `./${inside
      .split(sep)
      .join('/')
      .replace(/[\\*?[\]{}]/g, '\\$&')}`,
  ];
}
