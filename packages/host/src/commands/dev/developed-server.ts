import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { codeOf, messageOf } from '@mcp/kit';
import type { CommandInput } from '../../command-line/command.ts';
import { asConfigured, entryOfCommand } from '../../config/entry/typed-entry.ts';
import { usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { sourceTest } from './source-kinds.ts';
import type { Sources } from './watch-sources.ts';

/** The extensions of the files that Node runs, without and with types. */
const scripts = ['', '.js', '.mjs', '.cjs'];
const typed = ['.ts', '.mts', '.cts'];

/** Makes the server of the command line the only one. Returns its name and what is watched. */
export async function developedServer(
  input: CommandInput,
): Promise<{ readonly name: string; readonly sources: Sources }> {
  const { servers, positionals, options, load } = input;
  const [file, ...args] = positionals;
  if (file !== undefined) {
    const path = fileToRun(file);
    const entry = entryOfCommand([process.execPath, path, ...args]);
    await servers.reload({ servers: [asConfigured(entry)], problems: [] });
    const { files, ...others } = sourcesOf(options['watch'], dirname(path), [path]);
    return { name: entry.name, sources: { ...others, files: [path, ...files] } };
  }
  // Without `load`, the command line has a server, behind `--` or by its URL.
  const [name] = load ? [] : servers.names;
  if (name === undefined) throw usageError('Missing file: which server do you write?');
  const { target } = await servers.resolve(name);
  const command = target.kind === 'stdio' ? [target.command, ...target.args] : [];
  return { name, sources: sourcesOf(options['watch'], resolve('.'), command) };
}

/** The path of a file that Node can run. Throws a `HostError` for another one. */
function fileToRun(file: string): string {
  const path = resolve(file);
  if (!statsOf(file).isFile()) throw usageError(`"${file}" is not a file; name the file of the server`);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw unreadable(file, error);
  }
  const extension = extname(path);
  if (scripts.includes(extension)) return path;
  const command = printedCommand('dev', '--', ...commandFor(extension), file);
  if (!typed.includes(extension))
    throw usageError(`Node does not run "${basename(file)}"; name its command: ${command}`);
  if (process.features.typescript) return path;
  throw usageError(
    `Node ${process.versions.node} does not run TypeScript; update to 22.18 or newer, or name a command: ${command}`,
  );
}

function commandFor(extension: string): readonly string[] {
  if (extension === '.py') return ['python3'];
  return /^\.[mc]?[jt]sx?$/.test(extension) ? ['npx', 'tsx'] : ['<command>'];
}

/** What is watched: the directories and files of `--watch`, or the sources in `directory`. */
function sourcesOf(
  given: readonly string[] | true | undefined,
  directory: string,
  command: readonly string[],
): Sources {
  const named = Array.isArray(given) ? (given as readonly string[]) : [];
  const isDirectory = (path: string) => statsOf(path).isDirectory();
  const directories = named.filter(isDirectory).map((path) => resolve(path));
  const files = named.filter((path) => !isDirectory(path)).map((path) => resolve(path));
  return {
    directories: directories.length > 0 ? directories : [directory],
    files,
    isSource: sourceTest(command),
  };
}

/** Throws a `HostError` for a path at which there is nothing. */
function statsOf(path: string): Stats {
  try {
    return statSync(resolve(path));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? ''))
      throw usageError(`No such file or directory: "${path}"`);
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown) {
  return usageError(`"${path}" cannot be read: ${messageOf(error)}`);
}
