import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { quoted } from '@mcp/kit';
import { counted } from '../counted.ts';
import type { CreatedDirectory } from '../write/create-directory.ts';
import { leafKinds, selectPaths, type Finder } from './select-paths.ts';

/** Sources and destinations as a caller names them. */
export interface TransferArguments {
  readonly source?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly glob?: string | undefined;
  readonly destination?: string | undefined;
  readonly destinations?: readonly string[] | undefined;
  /** Create missing directories. Default: false. */
  readonly parents?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The methods of a sandbox that transfers use. */
export interface TransferSandbox extends Finder {
  readonly directories: readonly string[];
  createDirectory(path: string, like?: string): Promise<CreatedDirectory>;
  requireDirectory(path: string): Promise<void>;
}

/** One move or copy. */
export interface Transfer {
  readonly source: string;
  readonly destination: string;
}

export interface Transfers {
  readonly transfers: readonly Transfer[];
  readonly isOne: boolean;
  readonly isGlob: boolean;
  /** The number of matches left out in skipped directories such as `node_modules`, by directory name. */
  readonly leftOut?: ReadonlyMap<string, number> | undefined;
  /** The number of directories created for a glob's destination: itself and its parents. */
  readonly newLevels: number;
  /** The number of all directories created for a glob: `newLevels`, plus the destination's subdirectories. */
  readonly createdDirectories: number;
}

/** Returns pairs of source and destination. Throws unless each source has exactly one destination. */
export async function transfersOf(sandbox: TransferSandbox, args: TransferArguments): Promise<Transfers> {
  const { source, sources, glob, destination, destinations, signal } = args;
  if ((destination === undefined) === (destinations === undefined))
    throw new Error('Give either destination or destinations');
  const selection = { path: source, paths: sources, glob };
  const { paths, isOne, prefix, leftOut } = await selectPaths(sandbox, selection, {
    name: 'source',
    kinds: leafKinds,
    gitignored: true,
    repositories: 'whole',
    emptyDirectories: true,
    tooMany: 'narrow the glob, or give the whole directory without one',
    exclude: glob === undefined ? [] : destinationInside(source ?? '.', destination, sandbox),
    signal,
  });
  if (destinations !== undefined) {
    if (destinations.length !== sources?.length)
      throw new Error(
        `Invalid destinations: ${counted(destinations.length, 'path')} for ${counted(sources?.length ?? 0, 'source')}; expected one for each source`,
      );
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
          sandbox,
        );
  return { transfers, isOne, isGlob: prefix !== undefined, leftOut, ...created };
}

/**
 * Creates the directories for the matches of a glob, which keep their paths below the destination. The
 * destination must exist, unless `parents` requests to create it.
 */
async function createDirectories(
  transfers: readonly Transfer[],
  { source, destination }: Transfer,
  parents: boolean | undefined,
  sandbox: TransferSandbox,
): Promise<Pick<Transfers, 'newLevels' | 'createdDirectories'>> {
  const newLevels = parents ? (await sandbox.createDirectory(destination, source)).created : 0;
  if (!parents) await sandbox.requireDirectory(destination);
  let createdDirectories = newLevels;
  // The destination exists, so `seen` begins with it, in the form that `dirname` returns: without a slash at
  // its end.
  const seen = new Set([dirname(join(destination, 'entry'))]);
  for (const transfer of transfers)
    for (const { source: like, destination: path } of parentsOf(transfer, seen))
      createdDirectories += (await sandbox.createDirectory(path, like)).created;
  return { newLevels, createdDirectories };
}

/** Returns the parent directories of a transfer that are not in `seen` yet, the outermost first. */
function parentsOf({ source, destination }: Transfer, seen: Set<string>): Transfer[] {
  const parent = { source: dirname(source), destination: dirname(destination) };
  if (seen.has(parent.destination)) return [];
  seen.add(parent.destination);
  return [...parentsOf(parent, seen), parent];
}

function keptName(source: string): string {
  const name = basename(source);
  if (name === '' || name === '.' || name === '..')
    throw new Error(
      `A source must end in the name of a file or directory, and not in "." or "..": ${quoted(source)}`,
    );
  return name;
}

/** A glob that excludes the destination inside the source, so that it is not copied into itself. */
function destinationInside(
  source: string,
  destination: string | undefined,
  { directories }: TransferSandbox,
): string[] {
  const base = directories[0] ?? sep;
  const inside = relative(resolve(base, source), resolve(base, destination ?? ''));
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) return [];
  return [
    `./${inside
      .split(sep)
      .join('/')
      .replace(/[\\*?[\]{}]/g, '\\$&')}`,
  ];
}
