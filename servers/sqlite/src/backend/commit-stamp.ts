import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** The last commit of a database that this process has no connection to. See `ChangeStamp`. */
export function changeOf(path: string): string {
  const stamp = new ChangeStamp(path);
  try {
    return stamp.read();
  } finally {
    stamp.close();
  }
}

/**
 * The last commit of a database as text, equal only while there was none since: from the header of the file, and in
 * WAL mode from that of the index of the log, which every commit writes.
 *
 * What it opens stays open until `close`: to close a file gives up all locks that this process has on it, those of
 * SQLite as well.
 * @see https://www.sqlite.org/fileformat2.html https://www.sqlite.org/walformat.html
 * @see https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export class ChangeStamp {
  readonly #path: string;
  readonly #file: number;
  /** Indexes of the log by their inodes: there is a new one where all have closed the database. */
  readonly #indexes = new Map<bigint, number>();

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
  }

  read(): string {
    const { dev, ino, size, mtimeNs } = fstatSync(this.#file, { bigint: true });
    const header = Buffer.alloc(100);
    readSync(this.#file, header, 0, 100, 0);
    // Size, change counter, schema cookie, and the counter again that says that the size is right.
    const counters = header.toString('hex', 24, 44) + header.toString('hex', 92, 96);
    if (header[18] !== 2) return `${dev}.${ino}.${size}.${counters}`;
    // What goes from the log into the file is no commit; where there is no log any more, only the time tells of it.
    return `${dev}.${ino}.${this.#log() ?? `${size}.${counters}.${mtimeNs}`}`;
  }

  /** Only once the connection is closed. */
  close(): void {
    closeSync(this.#file);
    for (const index of this.#indexes.values()) closeSync(index);
    this.#indexes.clear();
  }

  #log(): string | undefined {
    const log = statSync(`${this.#path}-wal`, { bigint: true, throwIfNoEntry: false });
    if (!log || log.size === 0n) return undefined;
    return `${log.ino}.${this.#index() ?? `${log.size}.${log.mtimeNs}`}`;
  }

  /** The first of the two equal headers of the index: a counter of transactions, the last frame, two salts. */
  #index(): string | undefined {
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
