import { execFile, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { within } from '@mcp/kit';
import { findProgram } from './find-program.ts';

/** How many milliseconds `removeDirectory` waits. A longer removal continues in the background. */
const waitMs = 5_000;

/** The directories that still have to be removed, each with the PATH in which `rm` is searched for. */
const left = new Map<string, string>();

/** Registers a directory to be removed when this process exits, if it still exists then. */
export function removeAtEnd(directory: string, search: string): void {
  if (left.size === 0) process.once('exit', removeLeft);
  left.set(directory, search);
}

/**
 * Removes a directory into which a command could write anything: very many files, at any depth, in
 * directories without permissions. Never throws.
 * @param search the directories in which the programs that remove it are searched for, as in PATH
 */
export async function removeDirectory(directory: string, search: string): Promise<void> {
  const removed = remove(directory, search)
    .then(() => left.delete(directory))
    .catch(() => {});
  await within(waitMs, removed);
  if (left.size === 0) process.off('exit', removeLeft);
}

async function remove(directory: string, search: string): Promise<void> {
  if (process.platform === 'win32') return rm(directory, { recursive: true, force: true, maxRetries: 3 });
  // The program `rm` removes the directory, because Node could take minutes, and would fail for a file whose
  // whole path is too long.
  const run = (program: string, ...args: readonly string[]) =>
    promisify(execFile)(findProgram(program, '/', search), [...args, '--', directory]);
  try {
    await run('rm', '-rf');
  } catch {
    await run('chmod', '-R', 'u+rwX');
    await run('rm', '-rf');
  }
}

function removeLeft(): void {
  if (process.platform === 'win32') return;
  for (const [directory, search] of left) {
    try {
      const program = findProgram('rm', '/', search);
      spawn(program, ['-rf', '--', directory], { detached: true, stdio: 'ignore' }).unref();
    } catch {
      // `rm` was not found, so the directory stays until the system removes old temporary files.
    }
  }
}
