import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';

/** A lock whose holder has not shown for this long that it runs is free, in milliseconds. */
const staleMs = 30_000;
/** How often a holder shows that it runs, and how often others look. */
const heartbeatMs = 5_000;
const pollMs = 50;

/** The time of modification, in seconds, of a lock that was released. */
const released = 0;

/**
 * Runs `work` while no other process runs work under the lock `path`. Each holder creates a file
 * `<path>.<number>`, one higher than the last, so that of several processes that find a lock free,
 * or its holder dead, one has it. The last file stays. A holder that was killed loses the lock immediately on
 * its own machine, otherwise after 30 seconds. Where the lock cannot be written, `work` runs without it.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const file = await acquire(path, signal);
  if (file === undefined) return work();
  const heartbeat = setInterval(() => touch(file, Date.now() / 1_000), heartbeatMs);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    touch(file, released);
  }
}

/** Returns the file of the lock, undefined where it cannot be written. */
async function acquire(path: string, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const last = lastNumber(path);
    const file = `${path}.${last + 1}`;
    if (last === 0 || isFree(`${path}.${last}`)) {
      const created = create(file);
      if (created === 'failed') return undefined;
      if (created === 'created' && lastNumber(path) === last + 1) {
        for (let old = last; old > 0 && remove(`${path}.${old}`); old--);
        return file;
      }
      // A directory that is read while it changes may have hidden a newer holder.
      if (created === 'created') remove(file);
    } else await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** The number of the newest holder; 0 before the first. */
function lastNumber(path: string): number {
  const prefix = `${basename(path)}.`;
  try {
    const numbers = readdirSync(dirname(path)).map((name) =>
      name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0,
    );
    return Math.max(0, ...numbers.filter(Number.isSafeInteger));
  } catch {
    return 0;
  }
}

function isFree(file: string): boolean {
  try {
    const { mtimeMs } = statSync(file);
    return mtimeMs === released || Date.now() - mtimeMs > staleMs || isDead(readFileSync(file, 'utf8'));
  } catch {
    // A newer holder has deleted it: the next look finds that one.
    return false;
  }
}

/** Whether a holder, `<pid> <machine>`, was a process of this machine that has ended. */
function isDead(holder: string): boolean {
  const [, pid, machine] = /^(\d+) (.*)\n$/.exec(holder) ?? [];
  if (pid === undefined || machine !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function create(file: string): 'created' | 'exists' | 'failed' {
  let descriptor: number;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    descriptor = openSync(file, 'wx', 0o600);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'exists' : 'failed';
  }
  try {
    writeSync(descriptor, `${process.pid} ${hostname()}\n`);
  } catch {
    // On a full disk, a lock without its holder's name.
  } finally {
    closeSync(descriptor);
  }
  return 'created';
}

function touch(file: string, seconds: number): void {
  try {
    utimesSync(file, seconds, seconds);
  } catch {
    // The lock was taken from a process that had not run for a while.
  }
}

function remove(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
