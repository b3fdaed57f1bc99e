import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { kill } from 'node:process';

/**
 * The processes of one run: those of its process group and, on Linux, all that have `mark`, an environment
 * variable that differs for each run.
 */
export interface Processes {
  readonly group: number;
  readonly mark: string;
}

/** Whether a process of the run still runs. On Linux, a zombie does not count. */
export function anyRuns({ group, mark }: Processes): boolean {
  return groupRuns(group) || marked(mark).length > 0;
}

/** Sends a signal to the group, and to marked processes that have left the group. */
export function signalAll({ group, mark }: Processes, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(group), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  send(-group, signal);
  for (const { pid, group: own } of marked(mark)) if (own !== group) send(pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch {
    // The process has already ended, so it needs no signal.
  }
}

function groupRuns(group: number): boolean {
  try {
    kill(process.platform === 'win32' ? group : -group, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || running().some((each) => each.group === group);
}

interface RunningProcess {
  readonly pid: number;
  readonly group: number;
}

function running(): RunningProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const [, state, group] = /\) (\S) \d+ (\d+)/.exec(read(`/proc/${name}/stat`)) ?? [];
    return state === undefined || 'ZX'.includes(state) ? [] : { pid: Number(name), group: Number(group) };
  });
}

function marked(mark: string): RunningProcess[] {
  return running().filter(({ pid }) => read(`/proc/${pid}/environ`).split('\0').includes(mark));
}

/** Returns the text of a file in `/proc`; empty if the process has ended, or belongs to another user. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
