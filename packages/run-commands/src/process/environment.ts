import { delimiter, isAbsolute } from 'node:path';
import type { WritableDirectories } from '../access/writable-directories.ts';

/** Matches the variables that nearly every program needs. All others must be named in the configuration. */
const basicVariables =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|SystemRoot|SYSTEMROOT|windir|COMSPEC|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramData|HOMEDRIVE|HOMEPATH)$/;

/**
 * Returns the environment of a command: basic variables, the variables that the configuration names, and
 * `TERM=dumb`. PATH has no relative or writable directories, because the agent could place a program there.
 */
export function environmentFor(
  given: { readonly [name: string]: string | true },
  writable: WritableDirectories,
  own: NodeJS.ProcessEnv,
): { [name: string]: string } {
  const env: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && (basicVariables.test(name) || given[name] === true)) env[name] = value;
  }
  env['PATH'] = trustedPath(writable, own);
  env['TERM'] = 'dumb';
  for (const [name, value] of Object.entries(given)) if (value !== true) env[name] = value;
  return env;
}

/** Returns PATH without relative and writable directories, because the agent could place a program there. */
export function trustedPath(
  writable: WritableDirectories,
  { PATH = '/usr/bin:/bin' }: NodeJS.ProcessEnv,
): string {
  return PATH.split(delimiter)
    .filter((each) => isAbsolute(each) && writable.holding(each) === undefined)
    .join(delimiter);
}
