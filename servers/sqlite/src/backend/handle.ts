import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseError, Refused } from './failure.ts';
import { changeOf } from './change-stamp.ts';

type Statement = Database.Statement<unknown[], unknown>;

/** How long SQLite waits for another process's lock. */
const busyMs = { read: 2_000, write: 5_000 };
/** A database in WAL mode that cannot be opened where it lies is read into memory up to this size. */
const largestCopy = 256 * 1024 * 1024;
const keptStatements = 64;

/** One database, open in this process. Follows the file when another is put in its place. */
export class Handle {
  readonly path: string;
  readonly mode: 'read' | 'write';
  #database: Database.Database | undefined;
  #file: Stats | undefined;
  #copied = false;
  readonly #statements = new Map<string, Statement>();
  #dataVersion: Statement | undefined;
  #seenVersion: unknown;
  #change = '';

  constructor(path: string, mode: 'read' | 'write') {
    this.path = path;
    this.mode = mode;
  }

  /** The connection, to the file that is there now. Call before anything else, once per request. */
  refresh(): Database.Database {
    // In the midst of a snapshot everything stays as it is.
    if (this.#database?.inTransaction) return this.#database;
    const file = statOf(this.path);
    if (this.#database && !this.#isStill(file)) this.close();
    if (!this.#database) this.#open(file);
    if (!this.#dataVersion) throw new Error('The database is not open');
    const version = this.#copied ? 0 : this.#dataVersion.get();
    if (version !== this.#seenVersion) {
      this.#seenVersion = version;
      this.#statements.clear();
      this.#change = '';
    }
    return this.#database!;
  }

  get database(): Database.Database {
    return this.#database ?? this.refresh();
  }

  /**
   * Says which commit is the last, as text that any process can compare. Never newer than what is read next; `now`
   * looks again, so that it is never older than what was read before.
   */
  change({ now = false } = {}): string {
    if (now || this.#change === '') {
      const change = changeOf(this.path);
      if (now) return change;
      this.#change = change;
    }
    return this.#change;
  }

  /** A prepared statement, kept for the next time until somebody commits something. */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    statement = this.database.prepare(sql);
    if (this.#statements.size >= keptStatements) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#dataVersion = undefined;
    this.#seenVersion = undefined;
    this.#change = '';
    this.#database?.close();
    this.#database = undefined;
  }

  #isStill(file: Stats): boolean {
    const was = this.#file;
    if (was?.ino !== file.ino || was.dev !== file.dev) return false;
    return !this.#copied || (was.mtimeMs === file.mtimeMs && was.size === file.size);
  }

  #open(file: Stats): void {
    const database = new Database(this.path, {
      readonly: this.mode === 'read',
      fileMustExist: true,
      timeout: busyMs[this.mode],
    });
    try {
      const opened = statOf(this.path);
      if (opened.ino !== file.ino || opened.dev !== file.dev)
        throw new Refused(`"${this.path}" was replaced`);
      this.#ready(database, file);
    } catch (error) {
      database.close();
      const copy = this.mode === 'read' ? copyWithoutWal(this.path, file, error) : undefined;
      if (!copy) throw error;
      this.#copied = true;
      this.#ready(copy, file);
    }
  }

  #ready(database: Database.Database, file: Stats): void {
    // Text of the database, such as a view or a trigger, may call nothing that has effects.
    database.pragma('trusted_schema = 0');
    database.pragma('cell_size_check = 1');
    if (this.mode === 'read') database.pragma('query_only = 1');
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    this.#database = database;
    this.#file = file;
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
  }
}

/** A pipe would hang whoever opens it, and a link may lead anywhere by now: only a regular file is opened. */
function statOf(path: string): Stats {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) throw new DatabaseError({ code: 'SQLITE_CANTOPEN', message: `No such database: "${path}"` });
  if (!stat.isFile()) {
    throw new DatabaseError({ code: 'SQLITE_CANTOPEN', message: `Not a regular file: "${path}"` });
  }
  return stat;
}

/**
 * In a directory that nothing can be written to, a database in WAL mode has nowhere to put its shared memory. When
 * there is no log beside it, the file alone is all there is: it is read from memory, as if in rollback mode.
 */
function copyWithoutWal(path: string, file: Stats, error: unknown): Database.Database | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (
    code !== 'SQLITE_READONLY_DIRECTORY' &&
    code !== 'SQLITE_CANTOPEN' &&
    code !== 'SQLITE_READONLY_CANTINIT'
  ) {
    return undefined;
  }
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if ((log && log.size > 0) || file.size > largestCopy || file.size < 100) return undefined;
  const bytes = readFileSync(path);
  if (bytes[18] !== 2) return undefined;
  bytes[18] = bytes[19] = 1;
  return new Database(bytes, { readonly: true });
}
