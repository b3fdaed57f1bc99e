import { KeyedQueue } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { EntryLocation } from '../access/entry-location.ts';
import { AccessControlCopier } from './access-control-copier.ts';
import { FileLocks } from './file-locks.ts';

/** The objects that every change of a file needs. */
export class WriteContext implements Disposable {
  readonly allowed: AllowedDirectories;
  readonly accessControl: AccessControlCopier;
  /** Directories found to be append-only, by device and inode. */
  readonly appendOnly: Set<string>;
  readonly #queue: KeyedQueue;
  readonly #locks: FileLocks;
  readonly #isShared: boolean;

  /**
   * @param parent the context of the wider sandbox that this sandbox narrows; both share the queue of
   * changes, the locks, and the process that copies access control lists
   */
  constructor(allowed: AllowedDirectories, parent?: WriteContext) {
    this.allowed = allowed;
    this.#isShared = parent !== undefined;
    this.accessControl = parent?.accessControl ?? new AccessControlCopier();
    this.appendOnly = parent?.appendOnly ?? new Set();
    this.#queue = parent ? parent.#queue : new KeyedQueue();
    this.#locks = parent ? parent.#locks : new FileLocks();
  }

  /** Runs a change, while no other change by this user's servers touches these entries. */
  async exclusively<Result>(
    entries: readonly EntryLocation[],
    change: () => Result | Promise<Result>,
  ): Promise<Result> {
    const locked = async () => {
      using _ = await this.#locks.acquire(
        entries.map(({ parent, name }) => ({ parent: parent.stats, name })),
      );
      return await change();
    };
    // All changes queue for their entries in the same order, so that two changes never wait for each other.
    const keys = new Set(entries.map((entry) => `${this.identityOf(entry)}/${entry.name}`));
    const queued = [...keys]
      .sort()
      .reduceRight<() => Promise<Result>>((next, key) => () => this.#queue.run(key, next), locked);
    return await queued();
  }

  /** Returns the identity, device and inode, of the directory of an entry. */
  identityOf({ parent: { stats } }: EntryLocation): string {
    return `${stats.dev}:${stats.ino}`;
  }

  [Symbol.dispose](): void {
    if (!this.#isShared) this.accessControl[Symbol.dispose]();
  }
}
