import type { Stop, Watcher } from '@mcp/watch';
import type { Database } from '../database.ts';
import { readCommitStamp } from '../commit-stamp.ts';
import { failureMessage, isPassing } from '../errors.ts';

/** Network file systems tell of nothing: there the last commit is looked at this often. */
const pollMs = 1_000;

/** How soon what was locked is looked at again. */
const busyMs = 250;

/** Tells of commits, whichever process makes them. */
export class ChangeWatcher {
  readonly #warn: ((message: string) => void) | undefined;
  readonly #watched = new Map<Database, Promise<Commits>>();
  #watcher: Watcher | undefined;

  constructor(warn: ((message: string) => void) | undefined) {
    this.#warn = warn;
  }

  /**
   * Calls `changed` after each commit that makes `read` give something else. Resolves when no later change can be
   * missed.
   */
  async watch(database: Database, read: () => Promise<string>, changed: () => void): Promise<Stop> {
    const commits = await this.#commitsOf(database);
    const listener = new Listener(read, changed, this.#warn);
    const leave = commits.join(() => listener.look());
    try {
      await listener.arm();
    } catch (error) {
      leave();
      throw error;
    }
    return () => {
      listener.stop();
      leave();
    };
  }

  /** Calls `changed` after each change of a file. */
  async watchFile(path: string, changed: () => void): Promise<Stop> {
    return (await this.#files()).watch(path, changed);
  }

  close(): void {
    this.#watcher?.close();
    for (const commits of this.#watched.values()) void commits.then((each) => each.close());
    this.#watched.clear();
  }

  async #files(): Promise<Watcher> {
    // Loaded by the first subscription: most conversations have none.
    const { Watcher: Files } = await import('@mcp/watch');
    return (this.#watcher ??= new Files({ warn: this.#warn }));
  }

  #commitsOf(database: Database): Promise<Commits> {
    let commits = this.#watched.get(database);
    if (!commits) {
      commits = this.#files().then((files) => Commits.of(database.path, files));
      this.#watched.set(database, commits);
    }
    return commits;
  }
}

/** The commits of one database: everything that touches its file, its log or its journal, compared. */
class Commits {
  readonly #path: string;
  readonly #listeners = new Set<() => void>();
  #stops: Stop[] = [];
  #poll: NodeJS.Timeout | undefined;
  #last = '';

  static async of(path: string, files: Watcher): Promise<Commits> {
    const commits = new Commits(path);
    // In WAL mode a commit leaves the file itself alone; in rollback mode it ends with the journal.
    for (const suffix of ['', '-wal', '-journal']) {
      commits.#stops.push(await files.watch(`${path}${suffix}`, () => commits.#look()));
    }
    return commits;
  }

  private constructor(path: string) {
    this.#path = path;
  }

  join(heard: () => void): () => void {
    const listener = () => heard();
    this.#listeners.add(listener);
    this.#last ||= lastCommit(this.#path);
    this.#poll ??= setInterval(() => this.#look(), pollMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#poll);
      this.#poll = undefined;
      this.#last = '';
    };
  }

  close(): void {
    clearInterval(this.#poll);
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#listeners.clear();
  }

  #look(): void {
    if (this.#listeners.size === 0) return;
    const last = lastCommit(this.#path);
    if (last === this.#last) return;
    this.#last = last;
    for (const heard of this.#listeners) heard();
  }
}

function lastCommit(path: string): string {
  try {
    return readCommitStamp(path);
  } catch {
    return 'none';
  }
}

/** One subscription: reads again after a commit, and tells only of what reads differently. */
class Listener {
  readonly #read: () => Promise<string>;
  readonly #changed: () => void;
  readonly #warn: ((message: string) => void) | undefined;
  #last: string | undefined;
  #reading = false;
  #again = false;
  #stopped = false;

  constructor(
    read: () => Promise<string>,
    changed: () => void,
    warn: ((message: string) => void) | undefined,
  ) {
    this.#read = read;
    this.#changed = changed;
    this.#warn = warn;
  }

  /** The first reading; what cannot be read cannot be subscribed to. */
  async arm(): Promise<void> {
    this.#reading = true;
    this.#last = await this.#read();
    this.#reading = false;
    if (this.#again) this.look();
  }

  look(): void {
    this.#again = true;
    if (!this.#reading && !this.#stopped) void this.#compare();
  }

  stop(): void {
    this.#stopped = true;
  }

  async #compare(): Promise<void> {
    this.#reading = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const now = await this.#read().catch((error: unknown) => this.#failed(error));
      if (now === undefined || now === this.#last || this.#stopped) continue;
      this.#last = now;
      this.#changed();
    }
    this.#reading = false;
  }

  /** What is gone is a change too; what is only busy is looked at again. */
  #failed(error: unknown): string | undefined {
    const message = failureMessage(error);
    if (!isPassing(error)) return `failed ${message}`;
    this.#warn?.(`A subscription is looked at again, for it could not be read: ${message}`);
    setTimeout(() => this.look(), busyMs).unref();
    return undefined;
  }
}
