import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseError, Refused } from '../errors.ts';
import { ChangeStamp } from '../commit-stamp.ts';

type Statement = Database.Statement<unknown[], unknown>;

/** What begins and ends a snapshot, and says whether it is another than the one before. */
type Snapshot = { readonly [part in 'begin' | 'version' | 'schema' | 'end']: Statement };

/** How long SQLite waits for another process's lock. */
const busyMs = { read: 2_000, write: 5_000 };
/** A database in WAL mode that cannot be opened where it lies is read into memory up to this size. */
const largestCopy = 256 * 1024 * 1024;
const keptStatements = 128;
/** A longer statement is prepared each time: what is kept may not take much memory. */
const longestKept = 1024;

/**
 * One database, open in this process. Follows the file when another is put in its place. In mode `read`, everything
 * between `refresh` and `release` is read of one commit; meanwhile, in rollback mode, nobody can write.
 */
export class Handle {
  readonly path: string;
  readonly mode: 'read' | 'write';
  /** How many statements it has prepared. */
  prepared = 0;
  #database: Database.Database | undefined;
  #file: Stats | undefined;
  #copied = false;
  readonly #statements = new Map<string, Statement | undefined>();
  #snapshot: Snapshot | undefined;
  #seenVersion: unknown;
  #change = '';
  #stamp: ChangeStamp | undefined;

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
    if (this.mode === 'read') this.#hold();
    return this.#database!;
  }

  /** Lets others write, and what comes next be read of what they wrote. */
  release(): void {
    if (this.mode === 'read' && this.#database?.inTransaction) this.#snapshot?.end.run();
  }

  get database(): Database.Database {
    return this.#database ?? this.refresh();
  }

  /** The last commit, as text that any process can compare; never newer than what is read. */
  get change(): string {
    return this.#change;
  }

  /** The last commit that there is now, of which what is read may not know. */
  get changeNow(): string {
    return (this.#stamp ??= new ChangeStamp(this.path)).read();
  }

  /** A prepared statement. Until somebody commits something it is kept, where it is wanted a second time. */
  prepare(sql: string): Statement {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const statement = this.database.prepare(sql);
    this.prepared++;
    if (sql.length > longestKept) return statement;
    // Who is kept lives long, and so its memory is given back late: a thousand that nobody wants again would be many.
    const again = this.#statements.delete(sql);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size >= keptStatements) this.#statements.delete(oldest!);
    this.#statements.set(sql, again ? statement : undefined);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#snapshot = undefined;
    this.#seenVersion = undefined;
    this.#change = '';
    this.#copied = false;
    this.#database?.close();
    this.#database = undefined;
    this.#stamp?.close();
    this.#stamp = undefined;
  }

  #hold(): void {
    const { begin, version, schema, end } = this.#snapshot!;
    begin.run();
    try {
      if (version.get() === this.#seenVersion) return;
      this.#statements.clear();
      end.run();
      // Before the snapshot, so that it cannot be of a commit that comes after.
      this.#change = this.changeNow;
      begin.run();
      this.#seenVersion = version.get();
      // Whoever reads the schema has the connection forget what it knew of it.
      schema.get();
    } catch (error) {
      this.#seenVersion = undefined;
      this.release();
      throw error;
    }
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
    this.#snapshot = {
      begin: database.prepare('BEGIN'),
      version: database.prepare('PRAGMA data_version').pluck(),
      schema: database.prepare('SELECT 1 FROM sqlite_schema'),
      end: database.prepare('COMMIT'),
    };
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
