import { lstatSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { argumentsOf, openFiles, runningProcesses, workingDirectory } from './process-table.ts';

/** The directories of a repository in which git creates lock files. */
export interface GitDirectories {
  readonly gitDir: string;
  /** The git directory that all work trees share, with the refs. */
  readonly commonDir: string;
  readonly top: string;
}

/** How long to wait, in milliseconds, for the end of git processes that this server has not started. */
const waitMs = 3_000;
const pollMs = 50;
/** Tolerance for file times in milliseconds, because file systems take them from a coarse clock. */
const toleranceMs = 20;

/**
 * Removes lock files that this server's git processes, which have ended, left since `since` (ms since 1970).
 * If another git does not end, removes nothing. Returns the lock files that were not removed.
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

/** Waits up to 3 seconds until no other git runs in the repository; returns false if one still runs. */
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

/** Removes a file, and returns whether that succeeded. On Windows, a file that is open cannot be removed. */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Git commands that run for long, but take no lock. */
const readers = new Set(['cat-file', 'fsmonitor--daemon', 'credential-cache--daemon']);

/**
 * Whether a git process that this server did not start runs in the repository, or may do so because its
 * working directory cannot be read. Without a process list, as on Windows, returns false: a lock file in use
 * cannot be removed there anyway.
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
