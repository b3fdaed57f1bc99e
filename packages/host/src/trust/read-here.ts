import { lstatSync, readdirSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ServerDefinition, StdioTarget } from '../config/definition.ts';
import { launcherOf, type Launcher, packageOptions, readByShims } from './launchers.ts';

/** What the start of a server reads in a directory that another may have written, before the server runs. */
export interface ReadHere {
  /** The program that reads it: `npx`. */
  readonly program: string;
  readonly paths: readonly string[];
}

/**
 * What the launcher of a server reads in the current directory and in those above it: code of a package, settings that
 * name a registry, programs that a relative entry of PATH finds. An entry of the user that has a `cwd` says itself where
 * to start; and a directory that has the user's configuration is the user's.
 */
export function readHere({ target, scope, origin }: ServerDefinition, current: string): ReadHere | undefined {
  if (target.kind === 'http' || scope === 'command-line') return undefined;
  if (scope === 'user' && target.cwd !== undefined) return undefined;
  const cwd = target.cwd ?? current;
  const directories = scope === 'user' ? foreign(cwd, origin?.file) : upward(cwd);
  if (directories.length === 0) return undefined;
  const paths = [
    ...programsOf(target, cwd),
    ...launched(target).flatMap(({ launcher, words }) => readBy(launcher, words, directories)),
  ];
  return paths.length === 0 ? undefined : { program: target.command, paths: [...new Set(paths)] };
}

/** A directory and those above it. */
function upward(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upward(above)];
}

/** Those up to the first one that has the user's configuration in it. */
function foreign(cwd: string, configuration: string | undefined): string[] {
  const all = upward(cwd);
  const own = all.findIndex(
    (each) => configuration !== undefined && isBelow(resolve(cwd, configuration), each),
  );
  return own === -1 ? all : all.slice(0, own);
}

function isBelow(file: string, directory: string): boolean {
  const way = relative(directory, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

interface Launched {
  readonly launcher: Launcher;
  /** The words behind it. */
  readonly words: readonly string[];
}

/** The launchers of a command line, each of which may start the next: `sh -c "npx …"`, `env A=1 npx …`. */
function launched({ command, args }: StdioTarget): Launched[] {
  const words = [command, ...args.flatMap((each) => each.split(/\s+/))];
  return words.flatMap((word, index) => {
    const launcher = launcherOf(word);
    return launcher ? [{ launcher, words: words.slice(index + 1) }] : [];
  });
}

function readBy(launcher: Launcher, words: readonly string[], directories: readonly string[]): string[] {
  const { onlyWith, imports } = launcher;
  if (onlyWith && !words.some((word) => onlyWith.test(word))) return [];
  const [cwd = ''] = directories;
  const named = directories.flatMap((directory) =>
    [...launcher.reads, ...readByShims].map((name) => join(directory, name)).filter(exists),
  );
  const isolated = words.some((word) => /^-[a-zA-Z]*[IP]/.test(word));
  const modules = imports && !isolated && words.some((word) => imports.test(word)) ? modulesIn(cwd) : [];
  return [...named, ...modules, ...codeIn(words, launcher.runs, cwd)];
}

/** The code that arguments name by a relative path. */
function codeIn(words: readonly string[], runs: Launcher['runs'], cwd: string): string[] {
  const found: string[] = [];
  let first = true;
  let isValue = false;
  for (const word of runs === undefined ? [] : words) {
    const isOption = word.startsWith('-') || isValue;
    const value = word.replace(/^-[^=]*=/, '').replace(/^file:/, '');
    const kind = isAbsolute(value) || value === '' ? undefined : kindOf(join(cwd, value));
    // An interpreter takes a directory as its first argument alone; the others are data of the server.
    if (kind === 'file' || (kind === 'directory' && first && !word.startsWith('-')))
      found.push(resolve(cwd, value));
    if (!isOption) first = false;
    if (runs === 'package' && !first) break;
    isValue = packageOptions.test(word);
  }
  return found;
}

/** What Python can import from a directory. */
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

/** Programs that launchers and servers start by their names. */
const common = ['node', 'npm', 'npx', 'sh', 'env', 'git', 'python', 'python3', 'uv', 'bun', 'deno'];

/** The programs of the directory that are found where a command is searched for. */
function programsOf({ command, env }: StdioTarget, cwd: string): string[] {
  if (/[\\/]/.test(command)) return isAbsolute(command) ? [] : [resolve(cwd, command)].filter(exists);
  const isWindows = process.platform === 'win32';
  const path = env['PATH'] ?? process.env['PATH'] ?? '';
  // Windows searches the directory itself before all others.
  const entries = [...(isWindows ? ['.'] : []), ...path.split(delimiter)].filter((each) => !isAbsolute(each));
  const endings = isWindows ? ['', ...(process.env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  return entries.flatMap((entry) =>
    [command, ...common].flatMap((name) =>
      endings.map((ending) => resolve(cwd, entry, `${name}${ending}`)).filter(isFile),
    ),
  );
}

function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

function exists(path: string): boolean {
  return kindOf(path) !== undefined;
}

/** A link counts as a file, whatever it leads to. */
function kindOf(path: string): 'file' | 'directory' | undefined {
  try {
    return lstatSync(path).isDirectory() ? 'directory' : 'file';
  } catch {
    return undefined;
  }
}
