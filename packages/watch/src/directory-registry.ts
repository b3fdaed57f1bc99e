import { Folder } from './watched-directory.ts';
import { Rounds } from './poller.ts';
import type { Stop } from './stop.ts';

/** How the directories of one watcher are listened to. */
export interface Listening {
  poll: boolean;
  pollParents: boolean;
  pollMs: number;
  maxDirectories: number;
  warn: (message: string) => void;
}

// Linux queues 16,384 events for a process that does not fetch them, and drops the rest without a word.
const FLOOD = 8192;

/** All directories that a watcher listens to, each once, and what they share. */
export class Folders {
  readonly options: Listening;
  readonly rounds: Rounds;
  readonly #folders = new Map<string, Folder>();
  readonly #warned = new Set<string>();
  #places = 0;
  #events = 0;

  constructor(options: Listening) {
    this.options = options;
    this.rounds = new Rounds(options.pollMs);
  }

  at(path: string): Folder {
    const known = this.#folders.get(path);
    if (known) return known;
    const folder = new Folder(path, this);
    this.#folders.set(path, folder);
    return folder;
  }

  forget(path: string, folder: Folder): void {
    if (this.#folders.get(path) === folder) this.#folders.delete(path);
  }

  /** Takes one of the places for a watch of the system, and returns how to leave it, or nothing when all are taken. */
  takePlace(path: string): Stop | undefined {
    const { maxDirectories } = this.options;
    if (this.#places >= maxDirectories) {
      this.#warnOnce('places', `More than ${maxDirectories} directories to watch: ${this.#polling(path)}`);
      return;
    }
    this.#places++;
    return () => void this.#places--;
  }

  /** Says, once for each reason, that a directory is polled because the system cannot watch it. */
  warnOfPolling(path: string, { code, message }: NodeJS.ErrnoException): void {
    // It was there a moment ago, and is soon found missing.
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    const ranOut = code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE';
    const what = ranOut ? 'The system has no watches left' : 'The system does not watch a directory';
    this.#warnOnce(
      ranOut ? 'ran out' : (code ?? message),
      `${what} (${code ?? message}): ${this.#polling(path)}`,
    );
  }

  /** Counts an event, and has everything looked at when so many came at once that others may have been lost. */
  countEvent(): void {
    if (this.#events++ === 0) setImmediate(() => this.#calm());
  }

  #calm() {
    const flooded = this.#events >= FLOOD;
    this.#events = 0;
    if (flooded) for (const folder of this.#folders.values()) folder.tell();
  }

  #warnOnce(reason: string, message: string) {
    if (this.#warned.has(reason)) return;
    this.#warned.add(reason);
    this.options.warn(message);
  }

  #polling(path: string) {
    return `polling every ${this.options.pollMs} ms, beginning with "${path}"`;
  }
}
