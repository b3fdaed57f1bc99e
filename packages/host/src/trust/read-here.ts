import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ServerEntry, StdioTarget } from '../config/entry/server-entry.ts';
import {
  isolating,
  launcherOf,
  type Launcher,
  packageOptions,
  readByShims,
  searchPaths,
} from './launchers.ts';

/** The files that the start of a server reads in a directory that another person may have written. */
export interface ReadHere {
  /** The program that reads the files, such as `npx`. */
  readonly program: string;
  readonly paths: readonly string[];
}

/**
 * The files that the launcher of a server reads in the current directory and above: code of a package,
 * settings that name a registry, programs in a relative entry of PATH. Undefined if it reads none. Ignores a
 * `cwd` that the user has configured, and directories that contain the user's configuration, because these
 * are the user's own.
 */
export function readHere({ target, scope, origin }: ServerEntry, current: string): ReadHere | undefined {
  if (target.kind === 'http' || scope === 'command-line') return undefined;
  if (scope === 'user' && target.cwd !== undefined) return undefined;
  const cwd = target.cwd ?? current;
  const directories = scope === 'user' ? foreign(cwd, origin?.file) : upward(cwd);
  if (directories.length === 0) return undefined;
  const paths = [
    ...programsOf(target, cwd),
    ...searchedIn(target, cwd),
    ...launched(target).flatMap(({ launcher, words }) => readBy(launcher, words, directories)),
  ];
  return paths.length === 0 ? undefined : { program: target.command, paths: [...new Set(paths)] };
}

/** A directory and the directories above it. */
function upward(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upward(above)];
}

/**
 * The directories that other people may have written: `cwd` and the directories above it, as far as they are
 * below the first directory that contains the user's configuration.
 */
function foreign(cwd: string, configuration: string | undefined): string[] {
  const all = upward(cwd);
  if (configuration === undefined) return all;
  const file = resolve(cwd, configuration);
  // The path of the configuration may have symbolic links, but the path of the current directory has none. So
  // the configuration is looked for by both its path as written and its real path.
  const files = [file, join(realDirectory(dirname(file)), basename(file))];
  const own = all.findIndex((each) => files.some((path) => isBelow(path, each)));
  return own === -1 ? all : all.slice(0, own);
}

function realDirectory(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

function isBelow(file: string, directory: string): boolean {
  const way = relative(directory, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

interface Launched {
  readonly launcher: Launcher;
  /** The words after the launcher in its command line. */
  readonly words: readonly string[];
}

/** All launchers in a command line: one may start another, as in `sh -c "npx …"` or `env A=1 npx …`. */
function launched(target: StdioTarget): Launched[] {
  const words = wordsOf(target);
  const found = words.flatMap((word, index) => {
    const launcher = launcherOf(word);
    return launcher ? [{ launcher, words: words.slice(index + 1) }] : [];
  });
  const elsewhere = found.findIndex(changesDirectory);
  const here = elsewhere === -1 ? found : found.slice(0, elsewhere);
  const preloads = target.env['NODE_OPTIONS'];
  const node = preloads === undefined ? undefined : launcherOf('node');
  return node ? [...here, { launcher: node, words: preloads!.split(/\s+/) }] : here;
}

/** Whether a launcher changes to an absolute directory, so that it reads nothing in the current directory. */
function changesDirectory({ launcher: { changesTo }, words }: Launched): boolean {
  const [option = '', value = ''] = words[0] === 'run' ? words.slice(1) : words;
  if (changesTo === undefined || !option.startsWith(changesTo)) return false;
  return isAbsolute(option === changesTo ? value : option.slice(changesTo.length + 1));
}

/**
 * The words of a command line. Each argument is returned as a whole, because it may be a path with spaces,
 * and split into words, because it may be a command, as for `sh -c`.
 */
function wordsOf({ command, args }: StdioTarget): string[] {
  const inside = (each: string) =>
    each.split(/[\s;&|()<>{}'"`]+/).filter((word) => word !== '' && word !== each);
  return [command, ...args.flatMap((each) => [each, ...inside(each)])];
}

function readBy(launcher: Launcher, words: readonly string[], directories: readonly string[]): string[] {
  const { onlyWith, imports, runs } = launcher;
  const reads = !onlyWith || words.some((word) => onlyWith.test(word)) ? launcher.reads : [];
  if (reads.length === 0 && onlyWith && runs === undefined) return [];
  const [cwd = ''] = directories;
  const named = directories.flatMap((directory) =>
    [...reads, ...readByShims].map((name) => join(directory, name)).filter(exists),
  );
  const module = imports ? words.findIndex((word) => imports.test(word)) : -1;
  const isolated = words.slice(0, module + 1).some((word) => isolating.test(word));
  const modules = module === -1 || isolated ? [] : modulesIn(cwd);
  return [...named, ...modules, ...codeIn(words, runs, cwd)];
}

/** The files and directories with code that arguments name by relative paths. */
function codeIn(words: readonly string[], runs: Launcher['runs'], cwd: string): string[] {
  const found: string[] = [];
  let first = true;
  let isValue = false;
  for (const word of runs === undefined ? [] : words) {
    const isOption = word.startsWith('-') || isValue;
    const value = word.replace(/^-[^=]*=/, '').replace(/^file:/, '');
    const kind = isAbsolute(value) || value === '' ? undefined : kindOf(join(cwd, value));
    // Only an interpreter's first argument may be a directory with code: later arguments are data.
    if (kind === 'file' || (kind === 'directory' && first && !word.startsWith('-')))
      found.push(resolve(cwd, value));
    if (!isOption) first = false;
    if (runs === 'package' && !first) break;
    isValue = packageOptions.test(word);
  }
  return found;
}

/** The modules that Python can import from a directory. */
function modulesIn(directory: string): string[] {
  const isModule = (name: string) =>
    /\.(?:py|pyc|so|pyd)$/.test(name) || exists(join(directory, name, '__init__.py'));
  try {
    return readdirSync(directory)
      .filter(isModule)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/**
 * Programs that launchers and servers often start without a path, so that a relative entry of PATH can
 * replace them.
 */
const common = ['node', 'npm', 'npx', 'sh', 'env', 'git', 'python', 'python3', 'uv', 'bun', 'deno'];

/**
 * The programs that would be found relative to `cwd`, because the command or an entry of the PATH is
 * relative.
 */
function programsOf(target: StdioTarget, cwd: string): string[] {
  const { command, env } = target;
  if (/[\\/]/.test(command)) return isAbsolute(command) ? [] : [resolve(cwd, command)].filter(exists);
  const isWindows = process.platform === 'win32';
  const path = env['PATH'] ?? process.env['PATH'] ?? '';
  // Windows searches the current directory before the directories of the PATH.
  const entries = [...(isWindows ? ['.'] : []), ...path.split(delimiter)].filter((each) => !isAbsolute(each));
  const endings = isWindows ? ['', ...(process.env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  // The words of the arguments are looked up, too, because a launcher starts other programs: `sh -c server`.
  const names = [...wordsOf(target).filter((word) => !/[\\/]/.test(word)), ...common];
  return entries.flatMap((entry) =>
    names.flatMap((name) => endings.map((ending) => resolve(cwd, entry, `${name}${ending}`)).filter(isFile)),
  );
}

/**
 * The existing files and directories that the entry's environment variables (`searchPaths`) name by relative
 * paths.
 */
function searchedIn({ env }: StdioTarget, cwd: string): string[] {
  return searchPaths
    .flatMap((name) => (env[name] ? env[name].split(delimiter) : []))
    .filter((each) => !isAbsolute(each))
    .map((each) => resolve(cwd, each))
    .filter(exists);
}

function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

function exists(path: string): boolean {
  return kindOf(path) !== undefined;
}

/** Whether a path is a directory; anything else, even a link, is a file. Undefined if nothing is there. */
function kindOf(path: string): 'file' | 'directory' | undefined {
  try {
    return lstatSync(path).isDirectory() ? 'directory' : 'file';
  } catch {
    return undefined;
  }
}
