import { closeSync, constants, openSync, readFileSync, writeFileSync, type Stats } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { codeOf } from '@mcp/kit';
import { sha256 } from '../sha256.ts';
import { registryDirectory } from './temporary-files.ts';

/** An entry of a directory; device and inode identify the directory, to which several paths may lead. */
export interface LockedEntry {
  readonly parent: Pick<Stats, 'dev' | 'ino'>;
  readonly name: string;
}

const lockTimeoutMs = 10_000;
const minRetryMs = 1;
const maxRetryMs = 8;

/** A flag of `open` on macOS and the BSDs that also takes an exclusive lock; Node does not define it. */
const O_EXLOCK = 0x20;

/**
 * The length of a socket name (`sun_path`) on Linux, in bytes. Names are padded to this length: Node 20 pads
 * shorter abstract names with NUL bytes and Node 24 does not, so the names would differ.
 */
const abstractNameLength = 108;

/**
 * Locks that exclude other servers of the same user on the same machine. The kernel releases them when a
 * process ends, so a crash leaves no lock behind. They are abstract sockets on Linux, named pipes on Windows,
 * and locked files in the temporary directory on other systems.
 */
export class FileLocks {
  #key: string | undefined;

  /** Locks entries until disposal. Throws if another server holds a lock for more than 10 seconds. */
  async acquire(entries: readonly LockedEntry[]): Promise<Disposable> {
    const names = await Promise.all(entries.map((entry) => this.#nameOf(entry)));
    const releases: (() => void)[] = [];
    const release = () => {
      for (const each of releases.splice(0)) each();
    };
    try {
      // All servers take their locks in the same order, so that two servers never wait for each other.
      for (const name of [...new Set(names)].sort()) releases.push(await waitFor(name));
    } catch (error) {
      release();
      throw error;
    }
    return { [Symbol.dispose]: release };
  }

  async #nameOf({ parent: { dev, ino }, name }: LockedEntry): Promise<string> {
    this.#key ??= readKey();
    const hash = await sha256(
      Buffer.from(`${this.#key}/${dev}/${ino}/${name.normalize('NFC').toLowerCase()}`),
    );
    if (process.platform === 'win32') return `\\\\.\\pipe\\mcp-filesystem-${hash}`;
    if (process.platform === 'linux') return `\0mcp-filesystem-${hash}`.padEnd(abstractNameLength, '-');
    // The hash is cut to 256 possible names, because lock files are never deleted and would become too many.
    return join(registryDirectory(), `lock.${hash.slice(0, 2)}`);
  }
}

async function waitFor(name: string): Promise<() => void> {
  const lock = process.platform === 'linux' || process.platform === 'win32' ? listen : lockFile;
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    const release = await lock(name);
    if (release) return release;
    if (performance.now() > deadline)
      throw new Error('Another server has been changing this file for more than 10 seconds; try again');
    const delay = minRetryMs + Math.random() * (maxRetryMs - minRetryMs);
    await new Promise((resume) => setTimeout(resume, delay));
  }
}

/**
 * Listens on a socket, which is the lock. Returns a function that closes it; undefined if the name is taken.
 */
function listen(name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ path: name, exclusive: true }, () => {
      server.unref();
      resolve(() => server.close());
    });
  });
}

async function lockFile(path: string): Promise<(() => void) | undefined> {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600);
    return () => closeSync(fd);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

/** A secret of the user, as a part of the names of locks, so that other users cannot take them. */
function readKey(): string {
  try {
    const path = join(registryDirectory(), 'lock-key');
    try {
      const key = globalThis.crypto.randomUUID();
      writeFileSync(path, key, { flag: 'wx', mode: 0o600 });
      return key;
    } catch {
      return readFileSync(path, 'utf8');
    }
  } catch {
    return String(process.geteuid?.() ?? '');
  }
}
