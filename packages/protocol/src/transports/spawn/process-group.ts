import { type ChildProcess, spawn } from 'node:child_process';
import { pause } from '@mcp/kit';
import { OrphanGuard } from '@mcp/kit/node';

const live = new Set<ChildProcess>();

// Milliseconds from a server's first output to the start of the guard, a shell process that ends the servers
// if this process is killed. A guard that starts earlier would delay the server's first result.
const guardAfterOutputMs = 10;
let guard: OrphanGuard | undefined;

/** Ends all process groups when this process exits, because a server may ignore the end of its stdin. */
function endAll(): void {
  for (const child of live) signalGroup(child, 'SIGTERM');
}

/** Ends the process group of a child when this process exits, unless the group has already ended. */
export function keepGroup(child: ChildProcess): void {
  if (live.size === 0) process.on('exit', endAll);
  live.add(child);
  guard ??= new OrphanGuard({ spawn, pauseSeconds: 1, graceSeconds: 1, startMs: 100 });
  if (child.pid !== undefined) guard.add(child.pid);
  const forget = () => {
    live.delete(child);
    if (child.pid !== undefined) guard?.remove(child.pid);
    if (live.size === 0) process.off('exit', endAll);
  };
  child.once('error', forget);
  child.once('exit', () => void endGroup(child).then(forget));
}

/** Called when the first output of a child arrives: the guard may start soon. */
export function outputBegan(): void {
  guard?.startWithin(guardAfterOutputMs);
}

/** Sends a signal to a child and to all processes of its group; returns false if no process is left. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  const { pid } = child;
  if (pid === undefined) return false;
  if (process.platform === 'win32') {
    // taskkill ends only the processes that are in the tree now. A Windows job object would also end later
    // ones, but needs native code.
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => {},
    );
    return true;
  }
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

const pollMs = 20;
const graceMs = 1_000;

/** Ends the processes that a child has left, such as a server that still runs after its `npx` has exited. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (process.platform === 'win32' || !signalGroup(child, 'SIGTERM')) return;
  for (let waited = 0; waited < graceMs; waited += pollMs) {
    await pause(pollMs);
    if (!isAlive(child)) return;
  }
  signalGroup(child, 'SIGKILL');
}

function isAlive({ pid }: ChildProcess): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 0);
  } catch {
    return false;
  }
}
