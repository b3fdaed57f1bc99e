import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stop, Watcher } from '@mcp/watch';

/** Hears of everything in a directory and in those beneath it, also in ones that are made later. */
export class DirectoryTree {
  readonly #watcher: Watcher;
  readonly #root: string;
  readonly #heard: () => void;
  readonly #watched = new Map<string, Promise<Stop>>();
  #closed = false;
  #events = 0;

  constructor(watcher: Watcher, root: string, heard: () => void) {
    this.#watcher = watcher;
    this.#root = root;
    this.#heard = heard;
  }

  /** Watches what is there now. `enters` says which directories count. */
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
    const watching = this.#watcher.watch(directory, this.#heard, {
      // Whether anything has changed is found out by asking git, once for all directories.
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
    // It has gone meanwhile.
    return [];
  }
}
