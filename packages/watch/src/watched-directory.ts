import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { SymlinkChain } from './symlink-chain.ts';
import { watchDirectory, type DirectoryEvent } from './watch-directory.ts';
import type {
  Directories,
  DirectoryListener,
  ListenableDirectory,
  ListenOptions,
} from './directory-listener.ts';
import type { Poller } from './poller.ts';
import type { Stop } from './stop.ts';
import type { WatchSlots } from './watch-slots.ts';

interface WatchedDirectoryOptions {
  path: string;
  poll: boolean;
  pollParents: boolean;
  directories: Directories;
  poller: Poller;
  slots: WatchSlots;
  /** Called for each event that the system reports for this directory. */
  onEvent: () => void;
  /** Called when the last listener has stopped. */
  onClose: () => void;
}

/**
 * The directory at a path, with at most one watch of the operating system for all its listeners. The
 * directory may be missing, appear later, or be replaced. So this class also listens to the directories and
 * symbolic links on the way to the path, and moves the watch to the directory that is at the path now.
 */
export class WatchedDirectory implements ListenableDirectory {
  readonly #options: WatchedDirectoryOptions;
  readonly #path: string;
  readonly #chain: SymlinkChain | undefined;
  readonly #named = new Map<string, Set<DirectoryListener>>();
  readonly #unnamed = new Set<DirectoryListener>();
  #directListeners = 0;
  #isPolledParent = false;
  #identity: string | undefined;
  #replaced = false;
  #failure: Error | undefined;
  #stop: Stop | undefined;
  #updating: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(options: WatchedDirectoryOptions) {
    this.#options = options;
    this.#path = options.path;
    if (dirname(this.#path) !== this.#path) {
      const listener: DirectoryListener = (event) => this.#update(event);
      this.#chain = new SymlinkChain(this.#path, options.directories, {
        listener,
        direct: false,
        contents: false,
      });
    }
    this.#update();
  }

  listen(listener: DirectoryListener, { name, direct }: ListenOptions): Stop {
    const group = this.#group(name);
    // A new function for each call, because a link to itself adds the same listener several times to the set,
    // and each of these must be removable separately.
    const added: DirectoryListener = (event) => listener(event);
    group.add(added);
    if (direct && ++this.#directListeners === 1 && this.#isPolledParent) this.#update('rename');

    return () => {
      if (!group.delete(added)) return;
      if (direct) this.#directListeners--;
      if (name !== undefined && group.size === 0) this.#named.delete(keyOf(name));
      if (this.#named.size === 0 && this.#unnamed.size === 0) this.#close();
    };
  }

  async ready(visited: Set<ListenableDirectory>): Promise<void> {
    // A symbolic link can lead through its own directory. Without this check, the directory would wait for
    // itself.
    if (visited.has(this)) return;
    visited.add(this);
    await this.#chain?.ready(visited);
    while (this.#updating) await this.#updating;
  }

  /**
   * Calls the listeners for the entry `name`, and the listeners for all entries. Without a name, calls every
   * listener.
   */
  notify(event?: DirectoryEvent, name?: string): void {
    for (const listener of this.#unnamed) listener(event);
    const groups = name === undefined ? this.#named.values() : [this.#named.get(keyOf(name)) ?? []];
    for (const group of groups) for (const listener of group) listener(event);
  }

  #group(name: string | undefined) {
    if (name === undefined) return this.#unnamed;
    const group = this.#named.get(keyOf(name)) ?? new Set();
    this.#named.set(keyOf(name), group);
    return group;
  }

  #update(event?: DirectoryEvent) {
    if (event === 'rename') this.#replaced = true;
    this.#again = true;
    this.#updating ??= this.#updateAll();
  }

  async #updateAll() {
    while (this.#again && !this.#closed) {
      this.#again = false;
      await this.#updateOnce();
    }
    this.#updating = undefined;
  }

  async #updateOnce() {
    // A replaced directory is watched anew even if its identity is the same: the system soon reuses inode
    // numbers.
    const replaced = this.#replaced;
    this.#replaced = false;

    await this.#chain?.follow();
    const identity = await directoryIdentity(this.#path);
    if (this.#closed || (identity === this.#identity && !replaced)) return;
    if (identity !== this.#identity) this.#failure = undefined;
    this.#identity = identity;

    this.#stop?.();
    this.#stop = undefined;
    if (identity !== undefined) this.#stop = await this.#startWatching();
    if (this.#closed) return this.#close();

    this.notify();
  }

  async #startWatching(): Promise<Stop> {
    const { poll, pollParents } = this.#options;
    this.#isPolledParent = pollParents && this.#directListeners === 0;
    if (poll || this.#isPolledParent) return this.#startPolling();
    if (this.#failure) return this.#startPolling(this.#failure);
    return (await this.#startSystemWatch()) ?? this.#startPolling();
  }

  async #startSystemWatch(): Promise<Stop | undefined> {
    const release = this.#options.slots.take(this.#path);
    if (!release) return;
    try {
      const stop = await watchDirectory(this.#path, {
        onEvent: (event, name) => this.#handleEvent(event, name),
        onError: (error) => this.#handleError(error),
      });
      return () => {
        release();
        stop();
      };
    } catch (error) {
      release();
      return this.#startPolling(error as Error);
    }
  }

  #startPolling(reason?: Error): Stop {
    if (reason) this.#options.slots.warnOfRefusal(this.#path, reason);
    return this.#options.poller.add(() => this.notify());
  }

  #handleEvent(event: DirectoryEvent | undefined, name: string | undefined) {
    this.#options.onEvent();
    // If the directory itself is moved or removed, the system reports an event with the directory's own name.
    if (name === basename(this.#path)) this.#update(event);
    this.notify(event, name);
  }

  #handleError(error: Error) {
    this.#failure = error;
    this.#update('rename');
  }

  #close() {
    this.#closed = true;
    this.#stop?.();
    this.#stop = undefined;
    this.#chain?.close();
    this.#options.onClose();
  }
}

/**
 * Returns the same key for names that differ only in case or Unicode form, which some file systems treat as
 * equal. On other file systems this causes unnecessary events, which do less harm than missed ones.
 */
function keyOf(name: string) {
  return name.normalize().toLowerCase();
}

async function directoryIdentity(path: string) {
  try {
    const stats = await stat(path, { bigint: true });
    return stats.isDirectory() ? `${stats.dev}:${stats.ino} ${stats.birthtimeNs}` : undefined;
  } catch {
    return undefined;
  }
}
