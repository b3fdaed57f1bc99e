import type { BigIntStats, Dirent } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { builtin } from '@mcp/kit';

/**
 * A directory that is open, from which its entries are opened without following links. On Linux, each entry
 * is opened below the descriptor of its directory, so that nobody can put a link into the path meanwhile.
 * Elsewhere Node opens only by path: there, the directory is checked before and after each opening, which an
 * attacker who puts it back in time for both checks can pass.
 */
export class OpenDirectory {
  readonly #base: string;
  readonly #path: string;
  readonly #stats: BigIntStats;
  readonly #handle: FileHandle | undefined;

  private constructor(path: string, base: string, stats: BigIntStats, handle: FileHandle | undefined) {
    this.#path = path;
    this.#base = base;
    this.#stats = stats;
    this.#handle = handle;
  }

  /** Opens the directory at a path, which may be a link to it. Rejects with a system error. */
  static async open(path: string): Promise<OpenDirectory> {
    return OpenDirectory.#open(await builtin('node:fs/promises').realpath(path));
  }

  static async #open(path: string): Promise<OpenDirectory> {
    const { lstat, open } = builtin('node:fs/promises');
    const { constants } = builtin('node:fs');
    if (!hasDescriptorPaths()) {
      const stats = await lstat(path, { bigint: true });
      if (!stats.isDirectory()) throw systemError('ENOTDIR', path);
      return new OpenDirectory(path, path, stats, undefined);
    }
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = await open(path, flags);
    try {
      const stats = await handle.stat({ bigint: true });
      return new OpenDirectory(path, `/proc/self/fd/${handle.fd}`, stats, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens a directory in this one. Rejects with `ELOOP` or `ENOTDIR` for a link. */
  async directory(name: string): Promise<OpenDirectory> {
    return this.#checked(() => OpenDirectory.#open(this.#join(name)));
  }

  /** Opens a regular file in this directory. Rejects with a system error for a link or another entry. */
  async file(name: string): Promise<FileHandle> {
    const { lstat, open } = builtin('node:fs/promises');
    const { constants } = builtin('node:fs');
    const path = this.#join(name);
    // Opening a device or a FIFO could have an effect. Windows has no such flags: `|` takes undefined as 0.
    const there = await lstat(path, { bigint: true });
    if (!there.isFile()) throw systemError(there.isSymbolicLink() ? 'ELOOP' : 'EINVAL', name);
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
    const handle = await this.#checked(() => open(path, flags));
    try {
      const stats = await handle.stat({ bigint: true });
      const isSame = stats.ino === there.ino && stats.dev === there.dev;
      if (!stats.isFile() || !isSame) throw systemError('EBUSY', name);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Iterates over the entries of the directory, in no order. */
  async *entries(): AsyncGenerator<Dirent> {
    yield* await this.#checked(() => builtin('node:fs/promises').opendir(this.#base));
    await this.#checked(() => Promise.resolve());
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  #join(name: string): string {
    return `${this.#base}/${name}`;
  }

  /** Runs `work`; without a descriptor, the path must lead to this directory before and after it. */
  async #checked<T extends { close?(): Promise<void> } | void>(work: () => Promise<T>): Promise<T> {
    if (this.#handle) return work();
    await this.#refuseMoved();
    const result = await work();
    try {
      await this.#refuseMoved();
    } catch (error) {
      await result?.close?.();
      throw error;
    }
    return result;
  }

  async #refuseMoved(): Promise<void> {
    const { lstat, realpath } = builtin('node:fs/promises');
    const [real, there] = await Promise.all([realpath(this.#path), lstat(this.#path, { bigint: true })]);
    if (real === this.#path && there.ino === this.#stats.ino && there.dev === this.#stats.dev) return;
    throw systemError('EBUSY', this.#path);
  }
}

/** Whether the system has paths for descriptors, below which files can be opened. */
function hasDescriptorPaths(): boolean {
  return process.platform === 'linux' && builtin('node:fs').existsSync('/proc/self/fd');
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: "${path}"`), { code });
}
