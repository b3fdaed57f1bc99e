import { execFile, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { within } from '@mcp/kit';
import { findProgram } from './find-program.ts';

/** The longest time, in milliseconds, that a caller waits; the rest is removed in the meantime. */
const waitMs = 5_000;

/** The directories that are still to be removed, each with the directories of the programs for that. */
const left = new Map<string, string>();

/** Notes a directory that is removed at the end of this process, if it still exists. */
export function removeAtEnd(directory: string, search: string): void {
  if (left.size === 0) process.once('exit', removeLeft);
  left.set(directory, search);
}

/**
 * Removes a directory in which a command wrote what it liked: any number of files, at any depth, in
 * directories that it protected. Never throws.
 * @param search the directories of the programs that remove it, as in PATH
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
  // A process of its own: Node would use paths, which can be too long, and could be kept busy for minutes.
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
      // There is no such program; the system removes old files of its temporary directory.
    }
  }
}
