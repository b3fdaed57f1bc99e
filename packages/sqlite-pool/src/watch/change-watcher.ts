import { messageOf } from '@mcp/kit';
import type { Stop, Watcher } from '@mcp/watch';
import type { Database } from '../database.ts';
import { isTransient } from '../errors.ts';
import { CommitWatch } from './commit-watch.ts';

/** After this number of milliseconds, a locked database is read again. */
const busyRetryMs = 250;

/** Notifies when any process has changed a database or a file. */
export class ChangeWatcher {
  readonly #warn: ((message: string) => void) | undefined;
  readonly #commits = new Map<Database, Promise<CommitWatch>>();
  #watcher: Promise<Watcher> | undefined;

  constructor(warn: ((message: string) => void) | undefined) {
    this.#warn = warn;
  }

  /**
   * Calls `changed` when a commit changes the text that `read` returns. Resolves when the watch has begun;
   * rejects if the first read fails.
   */
  async watch(database: Database, read: () => Promise<string>, changed: () => void): Promise<Stop> {
    // The module is loaded at the first subscription, because most sessions have none.
    const { ComparedValue } = await import('@mcp/watch');
    const commits = await this.#commitsOf(database);
    const value = new ComparedValue({
      read,
      changed,
      readFailed: (error) => {
        const message = messageOf(error);
        // An error such as a missing table counts as a new value. After a temporary error, the database is
        // read again.
        if (!isTransient(error)) return `failed: ${message}`;
        this.#warn?.(`A watched result could not be read, and is read again: ${message}`);
        setTimeout(() => value.trigger(), busyRetryMs).unref();
        return undefined;
      },
    });
    const leave = commits.listen(() => value.trigger());
    try {
      await value.start();
    } catch (error) {
      leave();
      throw error;
    }
    return () => {
      value.stop();
      leave();
    };
  }

  async watchFile(path: string, changed: () => void): Promise<Stop> {
    return (await this.#files()).watch(path, changed);
  }

  close(): void {
    void this.#watcher?.then((watcher) => watcher.close());
    for (const commits of this.#commits.values()) void commits.then((each) => each.close());
    this.#commits.clear();
  }

  #files(): Promise<Watcher> {
    return (this.#watcher ??= import('@mcp/watch').then(
      (loaded) => new loaded.Watcher({ onWarning: this.#warn }),
    ));
  }

  #commitsOf(database: Database): Promise<CommitWatch> {
    let commits = this.#commits.get(database);
    if (!commits) {
      commits = this.#files().then((files) => CommitWatch.start(database.path, files));
      this.#commits.set(database, commits);
    }
    return commits;
  }
}
