import type { AllowedDirectories, EntryLocation } from '../access/allowed-directories.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { AccessControlCopier } from './access-control-copier.ts';
import { FileLocks } from './file-locks.ts';

/** The objects that every change of a file needs. */
export class WriteContext implements Disposable {
  readonly allowed: AllowedDirectories;
  readonly accessControl: AccessControlCopier;
  /** Directories found to be append-only, by identity. */
  readonly appendOnly: Set<string>;
  readonly #queue: KeyedQueue;
  readonly #locks: FileLocks;
  readonly #isShared: boolean;

  /** @param parent the context of a wider sandbox, with which the queue and the processes are shared */
  constructor(allowed: AllowedDirectories, parent?: WriteContext) {
    this.allowed = allowed;
    this.#isShared = parent !== undefined;
    this.accessControl = parent?.accessControl ?? new AccessControlCopier();
    this.appendOnly = parent?.appendOnly ?? new Set();
    this.#queue = parent ? parent.#queue : new KeyedQueue();
    this.#locks = parent ? parent.#locks : new FileLocks();
  }

  /** Runs changes of the same real paths one after the other, within this process. */
  async inTurn<Result>(paths: readonly string[], change: () => Promise<Result>): Promise<Result> {
    // In the same order everywhere, so that two changes never wait for each other.
    const queued = [...new Set(paths)]
      .sort()
      .reduceRight((next, path) => () => this.#queue.run(path, next), change);
    return queued();
  }

  /** The identity of the directory of an entry. */
  identityOf({ parent: { stats } }: EntryLocation): string {
    return `${stats.dev}:${stats.ino}`;
  }

  /** Excludes changes of the same entries by other server processes, until the result is disposed. */
  lock(entries: readonly EntryLocation[]): Promise<Disposable> {
    return this.#locks.acquire(entries.map(({ parent, name }) => ({ parent: parent.stats, name })));
  }

  [Symbol.dispose](): void {
    if (!this.#isShared) this.accessControl[Symbol.dispose]();
  }
}
