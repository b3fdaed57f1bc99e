import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Route } from './symlink-chain.ts';
import { watchDirectory, type DirectoryEvent } from './watch-directory.ts';
import type { Folders } from './directory-registry.ts';
import type { Stop } from './stop.ts';

/** Called with `rename` when the system says that the entry itself was replaced. */
export type Heard = (event?: DirectoryEvent) => void;

interface ListenOptions {
  /** The entry to hear of; without it, all of them. */
  name: string | undefined;
  direct: boolean;
}

/**
 * A directory by its path, with at most one watch of the system however many listen. It may be missing, come
 * later, or be replaced by another: it listens to its own route, and moves its watch to what stands there now.
 */
export class Folder {
  readonly #path: string;
  readonly #folders: Folders;
  readonly #route: Route | undefined;
  readonly #named = new Map<string, Set<Heard>>();
  readonly #unnamed = new Set<Heard>();
  #directs = 0;
  #leadsOnly = false;
  #identity: string | undefined;
  #replaced = false;
  #failure: Error | undefined;
  #stop: Stop | undefined;
  #revising: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(path: string, folders: Folders) {
    this.#path = path;
    this.#folders = folders;
    if (dirname(path) !== path) {
      const heard: Heard = (event) => this.#revise(event);
      this.#route = new Route(path, folders, { heard, direct: false, inside: false });
    }
    this.#revise();
  }

  listen(heard: Heard, { name, direct }: ListenOptions): Stop {
    const group = this.#group(name);
    // A link that leads to itself is listened to more than once, by the same one, who stops one after the other.
    const ear: Heard = (event) => heard(event);
    group.add(ear);
    if (direct && ++this.#directs === 1 && this.#leadsOnly) this.#revise('rename');

    return () => {
      if (!group.delete(ear)) return;
      if (direct) this.#directs--;
      if (name !== undefined && group.size === 0) this.#named.delete(key(name));
      if (this.#named.size === 0 && this.#unnamed.size === 0) this.#close();
    };
  }

  /** Resolves once this directory and all on the way to it are listened to, or known to be missing. */
  async ready(asked: Set<Folder>): Promise<void> {
    // A link that leads through itself would wait for itself.
    if (asked.has(this)) return;
    asked.add(this);
    await this.#route?.ready(asked);
    while (this.#revising) await this.#revising;
  }

  /** Tells those who listen to an entry, or to any when it is not known which. */
  tell(event?: DirectoryEvent, name?: string): void {
    for (const heard of this.#unnamed) heard(event);
    const groups = name === undefined ? this.#named.values() : [this.#named.get(key(name)) ?? []];
    for (const group of groups) for (const heard of group) heard(event);
  }

  #group(name: string | undefined) {
    if (name === undefined) return this.#unnamed;
    const group = this.#named.get(key(name)) ?? new Set();
    this.#named.set(key(name), group);
    return group;
  }

  #revise(event?: DirectoryEvent) {
    if (event === 'rename') this.#replaced = true;
    this.#again = true;
    this.#revising ??= this.#reviseAll();
  }

  async #reviseAll() {
    while (this.#again && !this.#closed) {
      this.#again = false;
      await this.#reviseOnce();
    }
    this.#revising = undefined;
  }

  async #reviseOnce() {
    // An inode number is soon given to the next directory, so one that was replaced can look the same.
    const replaced = this.#replaced;
    this.#replaced = false;

    await this.#route?.follow();
    const identity = await directoryIdentity(this.#path);
    if (this.#closed || (identity === this.#identity && !replaced)) return;
    if (identity !== this.#identity) this.#failure = undefined;
    this.#identity = identity;

    this.#stop?.();
    this.#stop = undefined;
    if (identity !== undefined) this.#stop = await this.#attend();
    if (this.#closed) return this.#close();

    this.tell();
  }

  async #attend(): Promise<Stop> {
    const { options } = this.#folders;
    this.#leadsOnly = options.pollParents && this.#directs === 0;
    if (options.poll || this.#leadsOnly) return this.#poll();
    if (this.#failure) return this.#poll(this.#failure);
    return (await this.#watch()) ?? this.#poll();
  }

  async #watch(): Promise<Stop | undefined> {
    const leave = this.#folders.takePlace(this.#path);
    if (!leave) return;
    try {
      const stop = await watchDirectory(this.#path, {
        heard: (event, name) => this.#hear(event, name),
        failed: (error) => this.#failed(error),
      });
      return () => {
        leave();
        stop();
      };
    } catch (error) {
      leave();
      return this.#poll(error as Error);
    }
  }

  #poll(reason?: Error): Stop {
    if (reason) this.#folders.warnOfPolling(this.#path, reason);
    return this.#folders.rounds.add(() => this.tell());
  }

  #hear(event: DirectoryEvent | undefined, name: string | undefined) {
    this.#folders.countEvent();
    // A directory that is moved or removed says its own name.
    if (name === basename(this.#path)) this.#revise(event);
    this.tell(event, name);
  }

  #failed(error: Error) {
    this.#failure = error;
    this.#revise('rename');
  }

  #close() {
    this.#closed = true;
    this.#stop?.();
    this.#stop = undefined;
    this.#route?.close();
    this.#folders.forget(this.#path, this);
  }
}

/** Some file systems fold case or compose letters; one look too many costs less than one too few. */
function key(name: string) {
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
