import { createHash, randomUUID } from 'node:crypto';
import { pause } from '../deadline.ts';
import { codeOf } from '../error-text.ts';

// Built-in modules are loaded by functions and not by imports, so that this module can also be loaded in a
// runtime without `node:fs`.
const files = () => process.getBuiltinModule('node:fs/promises');
const paths = () => process.getBuiltinModule('node:path');

/** Milliseconds between heartbeats: updates of the modification time of the file of a lock's owner. */
const heartbeatMs = 1_000;
/** The age of the last heartbeat, in milliseconds, above which the owner of a lock may be dead. */
const staleMs = 30_000;
/**
 * A lock's owner with an old heartbeat counts as dead only if a process that waits for the lock has seen no
 * new heartbeat for this many milliseconds: after a change of the system clock, a current one can look old.
 */
const silenceMs = 3_000;
const maxPollMs = 50;

/**
 * Runs `work` while no other work runs under the lock `path`, in this process or another. If an owner was
 * killed, processes of the same machine get the lock immediately, others after 30 seconds. If the signal
 * aborts before the lock is free, rejects with the reason of the signal. If the file of the lock cannot be
 * written, `work` runs without the lock, and gets the reason.
 *
 * Each process that wants the lock writes a file `<path>.<machine>-<process>-<id>`, then looks for the files
 * of others. If two processes do so at the same time, at least one of them sees the other's file, removes its
 * own, and tries again. No file name is used twice, so every process may remove the file of a dead owner.
 */
export async function withFileLock<T>(
  path: string,
  work: (notLocked?: unknown) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { file, failure } = await acquire(path, signal);
  if (file === undefined) return work(failure);
  const heartbeat = setInterval(() => void touch(file), heartbeatMs);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await remove(file);
  }
}

/** Waits for the lock and returns the path of its file, or the reason why the file cannot be written. */
async function acquire(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly file?: string; readonly failure?: unknown }> {
  const directory = paths().dirname(path);
  const prefix = `${paths().basename(path)}.`;
  const name = `${prefix}${machine()}-${process.pid}-${randomUUID()}`;
  const file = paths().join(directory, name);
  const others = new Owners(directory, prefix, name);
  for (;;) {
    signal?.throwIfAborted();
    if (await others.areGone()) {
      try {
        await files().mkdir(directory, { recursive: true, mode: 0o700 });
        await files().writeFile(file, '', { mode: 0o600, flag: 'wx' });
      } catch (failure) {
        return { failure };
      }
      if (await others.areGone()) return { file };
      await remove(file);
    }
    await pause(Math.random() * maxPollMs, { signal });
  }
}

interface Heartbeat {
  /** The modification time of the file, in milliseconds since 1970. */
  readonly at: number;
  /**
   * When this modification time was first seen, as `performance.now()`, which no change of the system clock
   * affects.
   */
  readonly since: number;
}

/** The other processes that hold the lock or wait for it, found by their files. */
class Owners {
  readonly #directory: string;
  readonly #prefix: string;
  readonly #own: string;
  /** The last heartbeat of each process, by the name of its file. */
  #seen: ReadonlyMap<string, Heartbeat> = new Map();

  /** @param own the name of the file of this process */
  constructor(directory: string, prefix: string, own: string) {
    this.#directory = directory;
    this.#prefix = prefix;
    this.#own = own;
  }

  /** Removes the files of dead processes. Returns true if no other process has a file of this lock. */
  async areGone(): Promise<boolean> {
    const seen = new Map<string, Heartbeat>();
    for (const name of await namesIn(this.#directory)) {
      const owner = name === this.#own ? undefined : ownerOf(name, this.#prefix);
      if (!owner) continue;
      const file = paths().join(this.#directory, name);
      const at = await heartbeatOf(file);
      if (at === undefined) continue;
      const last = this.#seen.get(name);
      const heartbeat = last?.at === at ? last : { at, since: performance.now() };
      if (unremoved.has(file) || isDead(owner) || isSilent(heartbeat)) await remove(file);
      else seen.set(name, heartbeat);
    }
    this.#seen = seen;
    return seen.size === 0;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await files().readdir(directory);
  } catch {
    // The directory is missing, or so protected that the file of the lock cannot be written either.
    return [];
  }
}

interface Owner {
  readonly machine: string;
  readonly pid: number;
}

/**
 * Reads the owner from the name of a lock's file; undefined for other files, such as those of a lock `a.b` if
 * this lock is `a`.
 */
function ownerOf(name: string, prefix: string): Owner | undefined {
  if (!name.startsWith(prefix)) return undefined;
  const [, of = '', pid = ''] = /^([0-9a-f]{16})-(\d+)-[0-9a-f-]{36}$/.exec(name.slice(prefix.length)) ?? [];
  return of === '' ? undefined : { machine: of, pid: Number(pid) };
}

/** The time of the last heartbeat, in milliseconds since 1970; undefined for a file that does not exist. */
async function heartbeatOf(file: string): Promise<number | undefined> {
  try {
    return (await files().stat(file)).mtimeMs;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : 0;
  }
}

/** Whether an owner was a process of this machine and has ended. */
function isDead(owner: Owner): boolean {
  if (owner.machine !== machine()) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function isSilent({ at, since }: Heartbeat): boolean {
  // The absolute value is needed because, after a clock was set back, a heartbeat can be in the future.
  return performance.now() - since >= silenceMs && Math.abs(Date.now() - at) > staleMs;
}

let knownMachine: string | undefined;

/** Identifies the machine and the container of this process: each container has its own process ids. */
function machine(): string {
  if (knownMachine !== undefined) return knownMachine;
  let namespace = '';
  try {
    namespace = process.getBuiltinModule('node:fs').readlinkSync('/proc/self/ns/pid');
  } catch {
    // `/proc/self/ns/pid` exists only on Linux. Other systems have no process namespaces, so the host name is
    // enough.
  }
  const { hostname } = process.getBuiltinModule('node:os');
  knownMachine = createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 16);
  return knownMachine;
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  // The file may be gone: if this process did not run for a while, another process may have counted it as
  // dead and removed its file.
  await files()
    .utimes(file, now, now)
    .catch(() => {});
}

/** Files of owners that have ended, which could not be removed. */
const unremoved = new Set<string>();

/**
 * Removes the file of an owner that has ended. Ignores a failure: this process no longer respects the file,
 * and others see an old heartbeat. The next check of the lock, by any process, tries again.
 */
async function remove(file: string): Promise<void> {
  try {
    await files().rm(file, { force: true, maxRetries: 3 });
    unremoved.delete(file);
  } catch {
    unremoved.add(file);
    await files()
      .utimes(file, 0, 0)
      .catch(() => {});
  }
}
