import { type ChildProcess, spawn } from 'node:child_process';
import { OrphanGuard } from './orphan-guard.ts';

const live = new Set<ChildProcess>();
const guard = new OrphanGuard();

/** Sends SIGTERM to all groups when this process exits, for servers that ignore the end of their stdin. */
function endAll(): void {
  for (const child of live) signalGroup(child, 'SIGTERM');
}

/** Keeps a child that leads a process group until it and the group have ended. */
export function keepGroup(child: ChildProcess): void {
  if (live.size === 0) process.on('exit', endAll);
  live.add(child);
  if (child.pid !== undefined) guard.add(child.pid);
  const forget = () => {
    live.delete(child);
    if (child.pid !== undefined) guard.delete(child.pid);
    if (live.size === 0) process.off('exit', endAll);
  };
  child.once('error', forget);
  child.once('exit', () => void endGroup(child).then(forget));
}

/** The first output of a child has arrived. */
export function outputBegan(): void {
  guard.outputBegan();
}

/** Signals a child and all that it has started. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  const { pid } = child;
  if (pid === undefined) return false;
  if (process.platform === 'win32') {
    // A job object would need native code; taskkill ends the tree as it is now.
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

/** Ends the processes that a child has left behind: the server of an `npx` that has exited. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (process.platform === 'win32' || !signalGroup(child, 'SIGTERM')) return;
  for (let waited = 0; waited < graceMs; waited += pollMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
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
