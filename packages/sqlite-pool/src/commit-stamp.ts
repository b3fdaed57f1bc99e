import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { openRegularFile } from './regular-file.ts';

/**
 * Reads the stamp of the last commit to a database. This process must have no connection to it, because
 * closing the file would give up the connection's locks.
 */
export function readCommitStamp(path: string): string {
  const stamp = new CommitStamp(path);
  try {
    return stamp.read();
  } finally {
    stamp.close();
  }
}

/**
 * Identifies the last commit to a database by a text from the headers of the file and of the WAL index.
 * The files stay open until `close`, because closing a file gives up all POSIX locks of this process on
 * the file, also those of SQLite.
 * @see https://www.sqlite.org/fileformat2.html https://www.sqlite.org/walformat.html
 * @see
 *   https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export class CommitStamp {
  readonly #path: string;
  readonly #file: number;
  /** Descriptors of WAL indexes, keyed by inode. SQLite creates a new index when a database is reopened. */
  readonly #indexes = new Map<bigint, number>();
  /** The last stamp in WAL mode. `transaction` is the WAL index's inode with its transaction counter. */
  #lastWal: { readonly transaction: string; readonly stamp: string } | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = openRegularFile(path);
  }

  /** Returns the stamp. A checkpoint does not change the stamp while this process has the database open. */
  read(): string {
    const { dev, ino, size, mtimeNs } = fstatSync(this.#file, { bigint: true });
    const header = Buffer.alloc(100);
    readSync(this.#file, header, 0, 100, 0);
    // Bytes 24 to 44 have the change counter, the size in pages and the schema cookie; bytes 92 to 96 have
    // `version-valid-for`, which tells whether that size is valid.
    const counters = header.toString('hex', 24, 44) + header.toString('hex', 92, 96);
    if (header[18] !== 2) return `${dev}.${ino}.${size}.${counters}`;
    // If the WAL has no frames, only the file's modification time shows whether there was a commit.
    const withoutWal = `${dev}.${ino}.${size}.${counters}.${mtimeNs}`;
    const wal = this.#readWal();
    if (!wal) return withoutWal;
    // A checkpoint changes the index, too, but only a commit increments the transaction counter.
    if (wal.transaction !== undefined && wal.transaction === this.#lastWal?.transaction) {
      return this.#lastWal.stamp;
    }
    const stamp = wal.isEmpty ? withoutWal : `${dev}.${ino}.${wal.stamp}`;
    this.#lastWal = wal.transaction === undefined ? undefined : { transaction: wal.transaction, stamp };
    return stamp;
  }

  /** Call only after the connection to the database is closed, because of the locks (see the class). */
  close(): void {
    closeSync(this.#file);
    for (const index of this.#indexes.values()) closeSync(index);
    this.#indexes.clear();
  }

  #readWal() {
    const wal = statSync(`${this.#path}-wal`, { bigint: true, throwIfNoEntry: false });
    if (!wal) return undefined;
    const isEmpty = wal.size === 0n;
    const index = this.#readIndex();
    if (!index) return { isEmpty, stamp: `${wal.ino}.${wal.size}.${wal.mtimeNs}`, transaction: undefined };
    const { header, inode } = index;
    const transaction = `${inode}.${header.toString('hex', 8, 12)}`;
    return { isEmpty, stamp: `${wal.ino}.${header.toString('hex')}`, transaction };
  }

  /** Reads one of two equal headers of the WAL index: transaction counter, last frame and two salts. */
  #readIndex(): { readonly header: Buffer; readonly inode: bigint } | undefined {
    const path = `${this.#path}-shm`;
    try {
      const { ino: inode } = statSync(path, { bigint: true });
      const index = this.#indexes.get(inode) ?? openRegularFile(path);
      this.#indexes.set(inode, index);
      const header = Buffer.alloc(48);
      return readSync(index, header, 0, 48, 0) === 48 ? { header, inode } : undefined;
    } catch {
      return undefined;
    }
  }
}
