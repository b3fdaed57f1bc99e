import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type * as documentsPackage from '@mcp/documents';
import type * as outlinePackage from '@mcp/outline';

export type OutlinePackage = typeof outlinePackage;
export type DocumentsPackage = typeof documentsPackage;

/** The packages that add to this server when they are installed beside it. */
export interface OptionalPackages {
  readonly outline?: Loader<OutlinePackage> | undefined;
  readonly documents?: Loader<DocumentsPackage> | undefined;
}

/**
 * Loads a package. Throws if the package is inside one of the allowed directories, where a client could have
 * changed it.
 */
export type Loader<Module> = (allowed: readonly string[]) => Module;

/** The directory of the package of this server, from the sources or from the bundle. */
const ownDirectory = import.meta.dirname ? join(import.meta.dirname, '../..') : join(__dirname, '..');

/**
 * Finds the optional packages in the `node_modules` that contains this server. Node would also search the
 * `node_modules` of parent directories, to which others may write. A package in an allowed, and so writable,
 * directory is left out with a warning.
 */
export function installedPackages(
  allowed: readonly string[],
  warn: (message: string) => void,
  own = ownDirectory,
): OptionalPackages {
  const find = <Module>(name: string): Loader<Module> | undefined => {
    const directory = besides(own, name);
    const reason = directory && reasonAgainst(directory, allowed);
    if (reason) warn(reason);
    return directory === undefined || reason ? undefined : loader(directory);
  };
  return { outline: find('outline'), documents: find('documents') };
}

/** What each package adds, and whether it is installed, for `--help`. */
export function optionalNotes(own = ownDirectory): string[] {
  const adds = {
    outline: 'outlines of source files, and the symbols around what a search finds',
    documents: 'the text of PDF, Word and Excel files',
  };
  const lines = Object.entries(adds).map(([name, what]) => {
    const state = besides(own, name) === undefined ? 'not installed' : 'installed';
    return `  @mcp/${name}: ${what} (${state})`;
  });
  return ['Optional packages, which are found when they are installed beside this one:', ...lines];
}

/** The directory of a package beside another one, if it is installed. */
function besides(own: string, name: string): string | undefined {
  const scope = dirname(realpathSync(own));
  const isInstalled = basename(scope) === '@mcp' && basename(dirname(scope)) === 'node_modules';
  const directory = join(scope, name);
  return isInstalled && existsSync(entryOf(directory)) ? directory : undefined;
}

function entryOf(directory: string): string {
  return join(directory, 'dist/index.cjs');
}

function loader<Module>(directory: string): Loader<Module> {
  let loaded: Module | undefined;
  return (allowed) => {
    const reason = reasonAgainst(directory, allowed);
    if (reason) throw new Error(reason);
    return (loaded ??= createRequire(entryOf(directory))(entryOf(directory)) as Module);
  };
}

/** Why a package is not loaded, if it lies in one of these directories. */
function reasonAgainst(directory: string, allowed: readonly string[]): string | undefined {
  const places = [directory, realpathSync(directory)];
  const around = allowed.find((each) => places.some((place) => isInside(place, each)));
  if (around === undefined) return undefined;
  return `${directory} is not loaded, because it lies in the allowed directory ${around}; install it outside`;
}

function isInside(path: string, directory: string): boolean {
  return [directory, realPathOf(directory)].some((each) => {
    const way = relative(each, path);
    return !isAbsolute(way) && way.split(/[\\/]/, 1)[0] !== '..';
  });
}

function realPathOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
