import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stop, Watcher } from '@mcp/watch';

/** Watches a directory and its subdirectories, also those that are created later. */
export class RecursiveWatch {
  readonly #watcher: Watcher;
  readonly #root: string;
  readonly #notify: () => void;
  readonly #watched = new Map<string, Promise<Stop>>();
  #closed = false;
  #events = 0;

  constructor(watcher: Watcher, root: string, notify: () => void) {
    this.#watcher = watcher;
    this.#root = root;
    this.#notify = notify;
  }

  /** Watches the directories that exist now, and ends other watches. `enters` selects subdirectories. */
  async refresh(enters: (path: string) => boolean): Promise<void> {
    const found = new Set<string>([this.#root]);
    for (const directory of found) {
      for (const name of await subdirectories(directory)) {
        const path = join(directory, name);
        if (enters(path)) found.add(path);
      }
    }
    if (this.#closed) return;
    for (const [directory, stop] of this.#watched) {
      if (found.has(directory)) continue;
      this.#watched.delete(directory);
      void stop.then((end) => end());
    }
    await Promise.all([...found].map((directory) => this.#watch(directory)));
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#watched.values()) void stop.then((end) => end());
    this.#watched.clear();
  }

  #watch(directory: string): Promise<Stop> {
    const known = this.#watched.get(directory);
    if (known) return known;
    const watching = this.#watcher.watch(directory, this.#notify, {
      // The identity of the directory is new each time it is asked for, so every event is reported. Git then
      // finds out what has changed.
      identity: async () => String(++this.#events),
    });
    this.#watched.set(directory, watching);
    return watching;
  }
}

async function subdirectories(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // The directory was deleted meanwhile, or cannot be listed.
    return [];
  }
}
