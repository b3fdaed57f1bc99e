import type { Stop, Watcher } from '@mcp/watch';
import { readCommitStamp } from '../commit-stamp.ts';

/** Milliseconds between two checks for a commit, because network file systems do not report changes. */
const pollMs = 1_000;

/**
 * Watches one database for commits of any process. When a file of the database changes, compares the stamp of
 * the last commit (see `CommitStamp`) with the previous one.
 */
export class CommitWatch {
  readonly #path: string;
  readonly #listeners = new Set<() => void>();
  #stops: Stop[] = [];
  #poll: NodeJS.Timeout | undefined;
  #last = '';

  static async start(path: string, watcher: Watcher): Promise<CommitWatch> {
    const commits = new CommitWatch(path);
    // A commit changes the WAL in WAL mode. In rollback mode, it is complete when the journal is deleted.
    for (const suffix of ['', '-wal', '-journal']) {
      commits.#stops.push(await watcher.watch(`${path}${suffix}`, () => commits.#check()));
    }
    return commits;
  }

  private constructor(path: string) {
    this.#path = path;
  }

  listen(committed: () => void): Stop {
    const listener = () => committed();
    this.#listeners.add(listener);
    this.#last ||= stampOrNone(this.#path);
    this.#poll ??= setInterval(() => this.#check(), pollMs).unref();
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

  #check(): void {
    if (this.#listeners.size === 0) return;
    const last = stampOrNone(this.#path);
    if (last === this.#last) return;
    this.#last = last;
    for (const committed of this.#listeners) committed();
  }
}

function stampOrNone(path: string): string {
  try {
    return readCommitStamp(path);
  } catch {
    return 'none';
  }
}
