import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** The stamp of the last commit to a database to which this process has no connection. See `CommitStamp`. */
export function readCommitStamp(path: string): string {
  const stamp = new CommitStamp(path);
  try {
    return stamp.read();
  } finally {
    stamp.close();
  }
}

/**
 * Identifies the last commit to a database, as text that differs after every commit: from the header of the file, and
 * in WAL mode from the header of the WAL index, which every commit changes.
 *
 * The files stay open until `close`: closing a file gives up all POSIX locks of this process on it, those of SQLite
 * included.
 * @see https://www.sqlite.org/fileformat2.html https://www.sqlite.org/walformat.html
 * @see https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export class CommitStamp {
  readonly #path: string;
  readonly #file: number;
  /** WAL indexes by inode: a new one is created after the last connection closed the database. */
  readonly #indexes = new Map<bigint, number>();

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
  }

  read(): string {
    const { dev, ino, size, mtimeNs } = fstatSync(this.#file, { bigint: true });
    const header = Buffer.alloc(100);
    readSync(this.#file, header, 0, 100, 0);
    // File change counter, size in pages, schema cookie, and `version-valid-for`, which confirms the size.
    const counters = header.toString('hex', 24, 44) + header.toString('hex', 92, 96);
    if (header[18] !== 2) return `${dev}.${ino}.${size}.${counters}`;
    // A checkpoint is no commit. Without a WAL only the modification time tells of earlier commits.
    return `${dev}.${ino}.${this.#walStamp() ?? `${size}.${counters}.${mtimeNs}`}`;
  }

  /** Call only after the connection is closed. */
  close(): void {
    closeSync(this.#file);
    for (const index of this.#indexes.values()) closeSync(index);
    this.#indexes.clear();
  }

  #walStamp(): string | undefined {
    const wal = statSync(`${this.#path}-wal`, { bigint: true, throwIfNoEntry: false });
    if (!wal || wal.size === 0n) return undefined;
    return `${wal.ino}.${this.#indexHeader() ?? `${wal.size}.${wal.mtimeNs}`}`;
  }

  /** The first of the two equal headers of the WAL index: a transaction counter, the last frame, two salts. */
  #indexHeader(): string | undefined {
    const path = `${this.#path}-shm`;
    try {
      const { ino } = statSync(path, { bigint: true });
      const index = this.#indexes.get(ino) ?? openSync(path, 'r');
      this.#indexes.set(ino, index);
      const header = Buffer.alloc(48);
      return readSync(index, header, 0, 48, 0) === 48 ? header.toString('hex') : undefined;
    } catch {
      return undefined;
    }
  }
}
