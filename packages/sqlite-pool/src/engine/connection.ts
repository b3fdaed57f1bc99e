import { closeSync, constants, lstatSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { codeOf, messageOf } from '@mcp/kit';
import Database from 'better-sqlite3';
import { CommitStamp } from '../commit-stamp.ts';
import { DatabaseError, Refused } from '../errors.ts';
import { assertDirectoryUnchanged, openRegularFile } from '../regular-file.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Beside } from '../worker-protocol.ts';

export type PreparedStatement = Database.Statement<unknown[], unknown>;

/** The statements that begin and end a snapshot, and that detect a commit since the previous snapshot. */
interface SnapshotStatements {
  readonly begin: PreparedStatement;
  readonly end: PreparedStatement;
  /** For each database, the statements that detect a commit and that read the schema again. */
  readonly schemas: readonly { readonly version: PreparedStatement; readonly schema: PreparedStatement }[];
}

/** How many milliseconds SQLite waits for a lock that another connection holds. */
const busyTimeoutMs = { read: 2_000, write: 5_000 };
/** Maximum size in bytes of a WAL database that is read into memory; see `copyWithoutWal`. */
const maxCopySize = 256 * 1024 * 1024;
const maxCachedStatements = 128;
/** Longer statements are not cached, to bound the memory of the cache. */
const maxCachedLength = 1024;

/**
 * A connection to one file, reopened when the file is replaced. In mode `read`, one commit is read from
 * `refresh` to `endSnapshot`; in rollback mode, others cannot write during that time.
 */
export class Connection {
  readonly path: string;
  readonly mode: 'read' | 'write';
  /** How many statements this connection has prepared so far. */
  prepared = 0;
  #database: Database.Database | undefined;
  readonly #beside: Beside;
  /** The open files: that of the database, and those of attached databases. */
  #files: readonly Stats[] = [];
  #isCopy = false;
  readonly #statements = new Map<string, PreparedStatement | undefined>();
  #snapshot: SnapshotStatements | undefined;
  #seenVersion: string | undefined;
  #snapshotStamp = '';
  readonly #stamps: CommitStamp[] = [];

  constructor(path: string, mode: 'read' | 'write', beside: Beside = {}) {
    this.path = path;
    this.mode = mode;
    this.#beside = beside;
  }

  /** Opens the file that is now at the path, and begins a snapshot. Each request calls it first. */
  refresh(): Database.Database {
    // While a snapshot is open, the connection keeps the file with which the snapshot began.
    if (this.#database?.inTransaction) return this.#database;
    const files = this.#paths.map(statRegularFile);
    if (this.#database && !this.#isUnchanged(files)) this.close();
    if (!this.#database) this.#open(files);
    if (this.mode === 'read') this.#beginSnapshot();
    return this.#database!;
  }

  /** Whether there is no file at the path; `create` creates one. */
  get isMissing(): boolean {
    return lstatSync(this.path, { throwIfNoEntry: false }) === undefined;
  }

  /** Creates an empty database. Returns false if another process has just created the file. */
  create(): boolean {
    try {
      closeSync(openRegularFile(this.path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o666));
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Deletes the file if nothing was written to it. */
  deleteEmpty(): void {
    this.close();
    if (statSync(this.path, { throwIfNoEntry: false })?.size === 0) rmSync(this.path);
  }

  /** Ends the snapshot, so that others can write, and the next request reads their changes. */
  endSnapshot(): void {
    if (this.mode === 'read' && this.#database?.inTransaction) this.#snapshot?.end.run();
  }

  get database(): Database.Database {
    return this.#database ?? this.refresh();
  }

  /**
   * The stamp of the last commit that the snapshot contains; of an earlier commit if there was a commit just
   * before the snapshot began. For the same commit, the stamp is the same in all processes.
   */
  get snapshotStamp(): string {
    return this.#snapshotStamp;
  }

  /** The stamp of the last commit to the file. The snapshot may be of an older commit. */
  get latestStamp(): string {
    if (this.#stamps.length === 0) this.#stamps.push(...this.#paths.map((path) => new CommitStamp(path)));
    return this.#stamps.map((stamp) => stamp.read()).join();
  }

  /** Prepares a statement. When its SQL is repeated, it is cached until the next commit. */
  prepare(sql: string): PreparedStatement {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = this.database.prepare(sql);
    this.prepared++;
    if (sql.length > maxCachedLength) return statement;
    // A cached statement stays in memory for long, so only statements that are used twice are cached.
    const isRepeated = this.#statements.delete(sql);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size >= maxCachedStatements) this.#statements.delete(oldest!);
    this.#statements.set(sql, isRepeated ? statement : undefined);
    return statement;
  }

  /**
   * Empties the cache of statements. Call it after tables changed, because a cached statement keeps the
   * columns that its tables had when it was prepared.
   */
  forgetStatements(): void {
    this.#statements.clear();
  }

  close(): void {
    this.#statements.clear();
    this.#snapshot = undefined;
    this.#seenVersion = undefined;
    this.#snapshotStamp = '';
    this.#isCopy = false;
    this.#database?.close();
    this.#database = undefined;
    for (const stamp of this.#stamps.splice(0)) stamp.close();
  }

  #beginSnapshot(): void {
    const { begin, schemas, end } = this.#snapshot!;
    const versions = () => schemas.map(({ version }) => String(version.get())).join();
    begin.run();
    try {
      if (versions() === this.#seenVersion) return;
      this.#statements.clear();
      end.run();
      // The stamp is read before the snapshot begins, so it cannot be that of a commit after the snapshot.
      this.#snapshotStamp = this.latestStamp;
      begin.run();
      this.#seenVersion = versions();
      // Reading the schema makes the connection discard its outdated cache of the schema.
      for (const { schema } of schemas) schema.get();
    } catch (error) {
      this.#seenVersion = undefined;
      this.endSnapshot();
      throw error;
    }
  }

  get #paths(): readonly string[] {
    return [this.path, ...(this.#beside.attached ?? []).map(({ path }) => path)];
  }

  #isUnchanged(files: readonly Stats[]): boolean {
    return files.every((file, index) => {
      const opened = this.#files[index];
      if (opened?.ino !== file.ino || opened.dev !== file.dev) return false;
      return !this.#isCopy || (opened.mtimeMs === file.mtimeMs && opened.size === file.size);
    });
  }

  #open(files: readonly Stats[]): void {
    for (const path of this.#paths) assertDirectoryUnchanged(path);
    const file = files[0]!;
    const database = new Database(this.path, {
      readonly: this.mode === 'read',
      fileMustExist: true,
      timeout: busyTimeoutMs[this.mode],
    });
    try {
      this.#attach(database);
      for (const [index, path] of this.#paths.entries()) assertUnchanged(path, files[index]!);
      this.#configure(database, files);
    } catch (error) {
      database.close();
      const copy = this.mode === 'read' ? copyWithoutWal(this.path, file, error) : undefined;
      if (!copy) throw error;
      this.#isCopy = true;
      this.#attach(copy);
      this.#configure(copy, files);
    }
  }

  /** Attaches the other databases. Each is opened read-only if the database itself is. */
  #attach(database: Database.Database): void {
    for (const { name, path } of this.#beside.attached ?? [])
      database.prepare(`ATTACH ? AS ${quoteIdentifier(name)}`).run(path);
  }

  #configure(database: Database.Database, files: readonly Stats[]): void {
    for (const extension of this.#beside.extensions ?? []) loadExtension(database, extension);
    if (this.#beside.files) database.pragma('temp_store = MEMORY');
    // The database is untrusted, so its views and triggers may not call functions with side effects.
    database.pragma('trusted_schema = 0');
    database.pragma('cell_size_check = 1');
    if (this.mode === 'read') database.pragma('query_only = 1');
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    this.#database = database;
    this.#files = files;
    this.#snapshot = {
      begin: database.prepare('BEGIN'),
      schemas: ['main', ...(this.#beside.attached ?? []).map(({ name }) => name)]
        .map(quoteIdentifier)
        .map((name) => ({
          version: database.prepare(`PRAGMA ${name}.data_version`).pluck(),
          schema: database.prepare(`SELECT 1 FROM ${name}.sqlite_schema`),
        })),
      end: database.prepare('COMMIT'),
    };
  }
}

/** Throws if the file at the path is no longer `file`, which was found there before it was opened. */
function assertUnchanged(path: string, file: Stats): void {
  assertDirectoryUnchanged(path);
  const opened = statRegularFile(path);
  if (opened.ino === file.ino && opened.dev === file.dev) return;
  throw new Refused(`The database was replaced while it was opened: "${path}"`, 'Try again');
}

function loadExtension(database: Database.Database, path: string): void {
  try {
    database.loadExtension(path);
  } catch (error) {
    throw new DatabaseError(
      { message: `The extension ${JSON.stringify(path)} cannot be loaded: ${messageOf(error)}` },
      { cause: error },
    );
  }
}

/**
 * Opens a database for reading its last commit while this process changes it. Only SQLite may open the file:
 * closing another descriptor of the file would give up the locks of this process.
 * @see
 *   https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export function openLastCommit(path: string): Database.Database {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
  database.pragma('trusted_schema = 0');
  database.pragma('query_only = 1');
  return database;
}

/** Opens a database in memory, in which an untrusted schema can do no harm. */
export function emptyDatabase(): Database.Database {
  const database = new Database(':memory:');
  database.pragma('trusted_schema = 0');
  return database;
}

/** Throws if the file is not a regular one: opening a FIFO would block, and a symlink may point elsewhere. */
function statRegularFile(path: string): Stats {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) return stat;
  throw new DatabaseError({
    code: 'SQLITE_CANTOPEN',
    message: `${stat ? 'Not a regular file' : 'No such database'}: "${path}"`,
    ...(!stat && { reason: 'missing-database' }),
  });
}

/**
 * Copies a WAL database into memory, as SQLite cannot create shared memory in a read-only directory. Returns
 * undefined if the error has another cause, or if the file is too large, or incomplete because it has a WAL.
 */
function copyWithoutWal(path: string, file: Stats, error: unknown): Database.Database | undefined {
  if (!/^SQLITE_(?:READONLY_DIRECTORY|CANTOPEN|READONLY_CANTINIT)$/.test(codeOf(error) ?? ''))
    return undefined;
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if ((wal && wal.size > 0) || file.size > maxCopySize || file.size < 100) return undefined;
  const descriptor = openRegularFile(path);
  let bytes: Buffer;
  try {
    bytes = readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (bytes[18] !== 2) return undefined;
  bytes[18] = bytes[19] = 1;
  return new Database(bytes, { readonly: true });
}
