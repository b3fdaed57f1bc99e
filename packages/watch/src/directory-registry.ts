import { Poller } from './poller.ts';
import { WatchedDirectory } from './watched-directory.ts';
import { WatchSlots, type WatchSlotsOptions } from './watch-slots.ts';
import type { Directories } from './directory-listener.ts';
import type { Stop } from './stop.ts';

/** How the directories of one watcher are watched or polled. */
export interface RegistryOptions extends WatchSlotsOptions {
  poll: boolean;
  pollParents: boolean;
}

// After a burst of this many events, some may be missing: Linux queues 16,384 events for a slow process, and
// drops the rest.
const floodEvents = 8192;

/**
 * The directories of a watcher, one object for each path. They share a polling timer, and a limit on the
 * number of watches of the operating system.
 */
export class DirectoryRegistry implements Directories {
  readonly #options: RegistryOptions;
  readonly #poller: Poller;
  readonly #slots: WatchSlots;
  readonly #directories = new Map<string, WatchedDirectory>();
  #burstEvents = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#poller = new Poller(options.pollMs);
    this.#slots = new WatchSlots(options);
  }

  at(path: string): WatchedDirectory {
    const known = this.#directories.get(path);
    if (known) return known;
    const { poll, pollParents } = this.#options;
    const directory: WatchedDirectory = new WatchedDirectory({
      path,
      poll,
      pollParents,
      directories: this,
      poller: this.#poller,
      slots: this.#slots,
      onEvent: () => this.#countEvent(),
      onClose: () => {
        if (this.#directories.get(path) === directory) this.#directories.delete(path);
      },
    });
    this.#directories.set(path, directory);
    return directory;
  }

  poll(callback: () => void): Stop {
    return this.#poller.add(callback);
  }

  #countEvent() {
    if (this.#burstEvents++ === 0) setImmediate(() => this.#endBurst());
  }

  /** After a burst of `floodEvents` events, notifies all listeners, because events may have been dropped. */
  #endBurst() {
    const flooded = this.#burstEvents >= floodEvents;
    this.#burstEvents = 0;
    if (flooded) for (const directory of this.#directories.values()) directory.notify();
  }
}
