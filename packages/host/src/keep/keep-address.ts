import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StateDirectories } from '../state-directories.ts';

/** Any user may make a pipe of any name, so that the name of the user's own pipe is a secret in a file. */
const hasPipes = process.platform === 'win32';

/**
 * The address of the process that keeps servers for the commands of this version: a socket or, on Windows,
 * the name of a pipe. Undefined if there is none, or if other users may have access to it.
 */
export function keepAddress(directories: StateDirectories, version: string): string | undefined {
  const path = pathOf(directories, version);
  try {
    if (hasPipes) return readFileSync(path, 'utf8');
    return isPrivate(dirname(path)) && isPrivate(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the directory of the address, and returns the address. Throws if others have access to either. */
export function makeKeepAddress(directories: StateDirectories, version: string): string {
  const path = pathOf(directories, version);
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (hasPipes) {
    const name = String.raw`\\.\pipe\mcp-keep-${randomUUID()}`;
    writeFileSync(path, name);
    return name;
  }
  for (const each of [directory, path])
    if (existsSync(each) && !isPrivate(each))
      throw new Error(`Others have access to "${each}"; delete it, and run this command again`);
  return path;
}

function pathOf({ state }: StateDirectories, version: string): string {
  return join(state, 'keep', `${version}.${hasPipes ? 'pipe' : 'sock'}`);
}

/** Whether a file belongs to the user of this process, and no other has access. Throws for a missing file. */
function isPrivate(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  return uid === process.getuid?.() && (mode & 0o077) === 0;
}
