import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { openRegularFile } from './regular-file.ts';

/** Reads the stamp of the last commit to a database to which this process has no connection. */
export function readCommitStamp(path: string): string {
  const stamp = new CommitStamp(path);
  try {
    return stamp.read();
  } finally {
    stamp.close();
  }
}

/**
 * Identifies the last commit to a database by a stamp: text from the header of the file, and in WAL mode from
 * the header of the WAL index. The stamp differs after every commit.
 *
 * The files stay open until `close`: closing a file gives up all POSIX locks of this process on it,
 * those of SQLite included.
 * @see https://www.sqlite.org/fileformat2.html https://www.sqlite.org/walformat.html
 * @see https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export class CommitStamp {
  readonly #path: string;
  readonly #file: number;
  /** Descriptors of WAL indexes, by inode: SQLite creates a new one when the database is opened anew. */
  readonly #indexes = new Map<bigint, number>();
  /** The last stamp in WAL mode; the inode of the WAL index and its transaction counter at that stamp. */
  #lastWal: { readonly transaction: string; readonly stamp: string } | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = openRegularFile(path);
  }

  /** The stamp. A checkpoint does not change it while this process has the database open. */
  read(): string {
    const { dev, ino, size, mtimeNs } = fstatSync(this.#file, { bigint: true });
    const header = Buffer.alloc(100);
    readSync(this.#file, header, 0, 100, 0);
    // The file change counter, the size in pages, the schema cookie, and `version-valid-for`, which confirms
    // the size.
    const counters = header.toString('hex', 24, 44) + header.toString('hex', 92, 96);
    if (header[18] !== 2) return `${dev}.${ino}.${size}.${counters}`;
    // Without frames in the WAL, only the modification time of the file shows whether there was a commit.
    const withoutWal = `${dev}.${ino}.${size}.${counters}.${mtimeNs}`;
    const wal = this.#readWal();
    if (!wal) return withoutWal;
    // A checkpoint changes the index and may empty the WAL; only a commit increments the counter.
    if (wal.transaction !== undefined && wal.transaction === this.#lastWal?.transaction) {
      return this.#lastWal.stamp;
    }
    const stamp = wal.isEmpty ? withoutWal : `${dev}.${ino}.${wal.stamp}`;
    this.#lastWal = wal.transaction === undefined ? undefined : { transaction: wal.transaction, stamp };
    return stamp;
  }

  /** Call only after the connection to the database is closed: see the class. */
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

  /** Reads the first of two equal headers of the WAL index: transaction counter, last frame and two salts. */
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
