import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { kill } from 'node:process';
import { promisify } from 'node:util';

/** A running process. Zombies are not listed. */
export interface RunningProcess {
  readonly pid: number;
  readonly group: number;
  /** The name of the process's program, cut after 15 bytes. */
  readonly name: string;
}

/** Lists the running processes; undefined if neither `/proc` nor `ps` shows them. */
export async function runningProcesses(): Promise<RunningProcess[] | undefined> {
  return processesInFiles() ?? (await processesByPs());
}

/** Lists the running processes from `/proc`; undefined on systems other than Linux. */
function processesInFiles(): RunningProcess[] | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (processAt(pid) ?? []) : []));
  } catch {
    return undefined;
  }
}

function processAt(pid: string): RunningProcess | undefined {
  try {
    const [, name = '', state, group] =
      /\((.*)\) (\S) \d+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    return state === 'Z' || state === 'X' ? undefined : { pid: Number(pid), group: Number(group), name };
  } catch {
    return undefined;
  }
}

/** Lists the running processes with `ps`, which POSIX systems have; undefined if it cannot be run. */
export async function processesByPs(): Promise<RunningProcess[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,pgid=,state=,comm=']);
    return Array.from(stdout.matchAll(/^ *(\d+) +(\d+) +([^Z\s]\S*) +(.+?) *$/gm), (match) => {
      const [, pid, group, , path = ''] = match;
      // On macOS, `ps` shows the path of the program instead of its name.
      return { pid: Number(pid), group: Number(group), name: path.slice(path.lastIndexOf('/') + 1) };
    });
  } catch {
    return undefined;
  }
}

/** The working directory of a process; undefined if it may not be read, or if the system has no `/proc`. */
export function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The open files of a process; empty if this user may not read them, and on systems without `/proc`. */
export function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((file) => readlinkSync(`/proc/${pid}/fd/${file}`));
  } catch {
    return [];
  }
}

/** The arguments of a process; empty if it has ended. */
export function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

/** Whether a process of a group still runs. A zombie, which Linux may keep for ever, does not count. */
export function groupRuns(group: number): boolean {
  try {
    kill(-group, 0);
  } catch {
    return false;
  }
  return processesInFiles()?.some((each) => each.group === group) ?? true;
}
