import { lstatSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { argumentsOf, openFiles, runningProcesses, workingDirectory } from './process-table.ts';

/** The directories of a repository in which git makes lock files. */
export interface GitDirectories {
  readonly gitDir: string;
  /** The one that all work trees share, with the refs. */
  readonly commonDir: string;
  /** The top of the work tree. */
  readonly top: string;
}

/** How long a git of another program is waited for. */
const waitMs = 3_000;
const pollMs = 50;
/** Clocks of file systems have ticks. */
const toleranceMs = 20;

/**
 * Removes the lock files that git processes of this server have left since a time, in ms since 1970, all
 * of which have ended. Waits for every other git in the repository, and leaves the files if one does not end,
 * since they may be its own. Returns the files that are left.
 */
export async function removeStaleLocks(
  directories: GitDirectories,
  since: number,
  ownGroups: ReadonlySet<number>,
): Promise<string[]> {
  if ((await locksSince(directories, since)).length === 0) return [];
  const alone = await otherGitEnds(directories, ownGroups);
  const left = await locksSince(directories, since);
  return alone ? left.filter((path) => !remove(path)) : left;
}

/** Waits until no other git runs in the repository; returns whether none does. */
export async function otherGitEnds(
  directories: GitDirectories,
  ownGroups: ReadonlySet<number>,
): Promise<boolean> {
  for (const end = Date.now() + waitMs; await otherGitRuns(directories, ownGroups); await setTimeout(pollMs))
    if (Date.now() > end) return false;
  return true;
}

async function locksSince({ gitDir, commonDir }: GitDirectories, since: number): Promise<string[]> {
  const lists = await Promise.all([
    locksIn(gitDir, false),
    gitDir === commonDir ? [] : locksIn(commonDir, false),
    locksIn(join(commonDir, 'refs'), true),
  ]);
  return lists.flat().filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.mtimeMs >= since - toleranceMs;
  });
}

async function locksIn(directory: string, recursive: boolean): Promise<string[]> {
  const names = await readdir(directory, { recursive }).catch(() => []);
  return names.filter((name) => name.endsWith('.lock')).map((name) => join(directory, name));
}

/** Returns whether it is removed; on Windows the file of a running process is not. */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Commands of git that run for long, and take no lock. */
const readers = new Set(['cat-file', 'fsmonitor--daemon', 'credential-cache--daemon']);

/**
 * Whether a git runs in one of these directories that this server has not started.
 * One whose directory the system does not show may run there. Where it shows no processes at all,
 * as on Windows, a file that is in use cannot be removed.
 */
async function otherGitRuns(
  { top, gitDir, commonDir }: GitDirectories,
  ownGroups: ReadonlySet<number>,
): Promise<boolean> {
  const isInside = (path: string) =>
    [top, gitDir, commonDir].some((each) => path === each || path.startsWith(`${each}${sep}`));
  return ((await runningProcesses()) ?? []).some(({ pid, group, name }) => {
    if (!/^git\b/.test(name) || ownGroups.has(group) || readers.has(argumentsOf(pid)[1] ?? '')) return false;
    const cwd = workingDirectory(pid);
    return cwd === undefined || isInside(cwd) || openFiles(pid).some(isInside);
  });
}
