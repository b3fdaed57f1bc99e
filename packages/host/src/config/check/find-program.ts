import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { StdioTarget } from '../entry/server-entry.ts';

/** Where the program of a server would be searched for, and whether it is there. */
export type FoundProgram = 'found' | 'missing' | 'not executable';

/** Searches for the program of a server as the system does, on the PATH that the server gets. */
export async function findProgram(
  { command, cwd, env }: StdioTarget,
  { env: own, cwd: here }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<FoundProgram> {
  const directory = cwd ?? here;
  const isPath = /[\\/]/.test(command);
  const path = env['PATH'] ?? own['PATH'] ?? own['Path'] ?? '';
  const directories = isPath ? [''] : path.split(delimiter).filter((each) => each !== '');
  const endings =
    process.platform === 'win32' ? ['', ...(own['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  const candidates = directories.flatMap((each) =>
    endings.map((ending) => resolve(directory, isAbsolute(command) ? '' : each, command + ending)),
  );
  const states = await Promise.all(candidates.map(stateOf));
  return states.find((each) => each === 'found') ?? states.find((each) => each !== 'missing') ?? 'missing';
}

async function stateOf(file: string): Promise<FoundProgram> {
  try {
    if (!(await stat(file)).isFile()) return 'not executable';
  } catch {
    return 'missing';
  }
  try {
    await access(file, constants.X_OK);
    return 'found';
  } catch {
    return 'not executable';
  }
}

/** Programs that run a file: their first argument that is not an option. */
const interpreters = /(?:^|[\\/])(?:node|deno|bun|tsx|python[\d.]*|ruby|php)(?:\.exe)?$/;

/** The script that an interpreter is to run, if its file is missing; undefined if there is none to check. */
export async function missingScript(
  { command, args, cwd }: StdioTarget,
  here: string,
): Promise<string | undefined> {
  if (!interpreters.test(command)) return undefined;
  const script = args[0] === 'run' ? args[1] : args[0];
  if (script === undefined || !/^[^-].*\.(?:[cm]?[jt]sx?|py|rb|php)$/.test(script) || script.includes(':'))
    return undefined;
  const file = isAbsolute(script) ? script : join(cwd ?? here, script);
  return (await exists(file)) ? undefined : file;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
