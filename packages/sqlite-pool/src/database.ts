import { once } from 'node:events';
import { parseExactJson } from '@mcp/kit';
import type { Counting } from './engine/schema/tables.ts';
import type { Query, QueryRequest } from './engine/result-rows.ts';
import type { WriteRequest } from './engine/writing/write-statements.ts';
import { DatabaseError, type Hints, needsRepair, Refused } from './errors.ts';
import type { Backpressure, PieceSink } from './piece-sink.ts';
import type { Cancellable, JobResult } from './pool/job.ts';
import type { JobOptions, ReaderPool } from './pool/reader-pool.ts';
import type { WriteQueue } from './pool/write-queue.ts';
import { type Beside, encodeParameters, type Request } from './worker-protocol.ts';
import type {
  Answer,
  Arguments,
  BackupProgress,
  ImportProgress,
  Operations,
  StreamArguments,
} from './worker/operations.ts';

export interface RunOptions {
  /**
   * In milliseconds. Defaults to the database's timeout or, for imports, exports and backups, to ten
   * minutes.
   */
  readonly timeoutMs?: number | undefined;
  readonly call?: Cancellable | undefined;
}

/** How many milliseconds a profile of all rows may take. After that, `maxSampleRows` rows are profiled. */
const profileTimeoutMs = 10_000;
const maxSampleRows = 10_000;
const countTimeoutMs = 2_000;
/** How many characters an answer reserves for the cursor and the counts of a comparison. */
const noteLength = 1_000;
/** The timeout of imports, exports and backups in milliseconds, long because their rows are not limited. */
const fileTimeoutMs = 10 * 60_000;
/** If a query with a greater limit runs out of memory, it is repeated, and its rows are read one by one. */
const maxRowsAtOnce = 1_000;
/**
 * How many milliseconds a read may take beyond its timeout, while it waits for the repair of its database.
 */
const maxRepairMs = 20_000;

/** A part of an export: the number of rows written so far, and the next part of the text. */
export interface ExportPiece {
  readonly rows: number;
  readonly text: string;
}

export interface DatabaseLimits {
  readonly timeoutMs: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

interface DatabaseParts extends DatabaseLimits {
  readonly name: string;
  readonly path: string;
  readonly beside: Beside | undefined;
  readonly readers: ReaderPool;
  readonly writers: WriteQueue | undefined;
  readonly allowCreate: boolean;
  readonly hints: Hints;
}

/** One database. Every operation runs in a child process. */
export class Database {
  readonly #parts: DatabaseParts;

  constructor(parts: DatabaseParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  get path(): string {
    return this.#parts.path;
  }

  /**
   * Returns a `Database` for the same file, whose queries also read attached databases, or files as tables.
   */
  beside(beside: Beside): Database {
    return new Database({ ...this.#parts, beside: { ...this.#parts.beside, ...beside } });
  }

  /** Runs a reading statement. Returns the text for a model, and the structured result as JSON. */
  async query({ params, limit, maxLength, format = 'table', ...query }: QueryRequest, options?: RunOptions) {
    const { maxRows, maxBytes } = this.#parts;
    const args: Query = {
      ...query,
      params: encodeParameters(params),
      limit: Math.min(limit ?? maxRows, maxRows),
      mayRaiseLimit: limit !== undefined && limit < maxRows,
      maxBytes: maxLength === undefined ? maxBytes : Math.min(maxBytes, maxLength - noteLength),
      bounded: maxLength !== undefined && maxLength < maxBytes,
      format,
    };
    const run = (stepwise: boolean) => this.#read('query', { ...args, stepwise }, this.#options(options));
    try {
      return await run(false);
    } catch (error) {
      // All rows in one array did not fit into memory. Reading row by row needs less.
      const code = error instanceof DatabaseError ? error.failure.code : undefined;
      if (code !== 'SQLITE_NOMEM' || args.limit <= maxRowsAtOnce) throw error;
      return run(true);
    }
  }

  /** Writes all rows of a query to `sink`, as the text of a file. Returns the number of rows. */
  async export(
    args: StreamArguments<'export'>,
    sink: PieceSink<ExportPiece, Backpressure>,
    options?: RunOptions,
  ): Promise<number> {
    const write = (piece: string) => {
      const [rows, text] = JSON.parse(piece) as [number, string];
      return sink.write({ rows, text });
    };
    const pieces = { write, restart: () => sink.restart() };
    const query = { ...args, params: encodeParameters(args.params) };
    const { text, json } = await this.#read('export', query, this.#fileOptions(options, pieces));
    await write(json);
    return Number(text);
  }

  /** Copies the database to a file, which it overwrites. Returns the permissions of the database file. */
  async backup(
    file: string,
    onProgress: (progress: BackupProgress) => void,
    options?: RunOptions,
  ): Promise<number> {
    const running = { ...this.#fileOptions(options, progressSink(onProgress)), long: true };
    const { json } = await this.#read('backup', { file }, running);
    return (JSON.parse(json) as { mode: number }).mode;
  }

  /** Returns a page of tables and views. Their rows are counted if that takes less than two seconds. */
  tables(args: Omit<Arguments<'tables'>, 'counting'>, options?: RunOptions): Promise<Answer<'tables'>> {
    return this.#counting('tables', 'exact', args, options);
  }

  /** Describes a table or view. Its rows are counted like those of `tables`. */
  describe(table: string, options?: RunOptions): Promise<Answer<'describe'>> {
    return this.#counting('describe', 'exact', { table }, options);
  }

  /** Returns a page of all tables and views with their SQL. Rows are counted like those of `tables`. */
  describeAll(cursor: string | undefined, options?: RunOptions): Promise<Answer<'describeAll'>> {
    return this.#counting('describeAll', 'exact', { cursor }, options);
  }

  /** Returns the tables with their columns and foreign keys, and counts at most 10,000 rows of each. */
  relations(options?: RunOptions): Promise<Answer<'relations'>> {
    return this.#counting('relations', 'capped', {}, options);
  }

  /** Returns the description and the first rows of a table or view, and counts at most 10,000 rows. */
  overview(table: string, limit: number, options?: RunOptions): Promise<Answer<'overview'>> {
    return this.#counting('overview', 'capped', { table, limit }, options);
  }

  /**
   * Runs an operation that counts rows. If counting takes too long, runs it again with the counting `cheap`,
   * which leaves out views and stops at a maximum.
   */
  async #counting<Name extends 'tables' | 'describe' | 'describeAll' | 'overview' | 'relations'>(
    op: Name,
    counting: Counting,
    args: Omit<Arguments<Name>, 'counting'>,
    options: RunOptions = {},
  ): Promise<Answer<Name>> {
    const { timeoutMs = this.#parts.timeoutMs } = options;
    const read = async (how: Counting, limited: RunOptions) => {
      const { json } = await this.#read(op, { ...args, counting: how }, this.#options(limited));
      return parseExactJson(json) as Answer<Name>;
    };
    try {
      return await read(counting, { ...options, timeoutMs: Math.min(timeoutMs, countTimeoutMs) });
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.failure.code !== 'SQLITE_INTERRUPT') throw error;
      return read('cheap', options);
    }
  }

  /** Profiles a table: all rows or, if these take more than ten seconds, the first 10,000. */
  async profile(table: string, options: RunOptions = {}): Promise<Answer<'profile'>> {
    const { timeoutMs = this.#parts.timeoutMs } = options;
    const limited = { ...options, timeoutMs: Math.min(timeoutMs / 2, profileTimeoutMs) };
    try {
      return await this.run('profile', { table }, limited);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.failure.code !== 'SQLITE_INTERRUPT') throw error;
      return this.run('profile', { table, maxRows: maxSampleRows }, options);
    }
  }

  /** Runs an operation that only reads, and for which this class has no method. */
  async run<Name extends Exclude<keyof Operations, 'write' | 'import'>>(
    op: Name,
    args: Arguments<Name>,
    options?: RunOptions,
  ): Promise<Answer<Name>> {
    const { json } = await this.#read(op, args, this.#options(options));
    return parseExactJson(json) as Answer<Name>;
  }

  /** Runs writing statements in one transaction. Throws if writing is not allowed. */
  async write(request: Omit<WriteRequest, 'maxBytes'>, options?: RunOptions): Promise<Answer<'write'>> {
    const { maxBytes } = this.#parts;
    const statements = request.statements.map((each) => ({ ...each, params: encodeParameters(each.params) }));
    return this.#write('write', { ...request, maxBytes, statements }, this.#options(options));
  }

  /** Imports a file into a table, and reports progress. Throws if writing is not allowed. */
  async import(
    args: Arguments<'import'>,
    onProgress: (progress: ImportProgress) => void,
    options?: RunOptions,
  ): Promise<Answer<'import'>> {
    return this.#write('import', args, this.#fileOptions(options, progressSink(onProgress)));
  }

  async #write<Name extends 'write' | 'import'>(
    op: Name,
    args: Arguments<Name> & { readonly create?: boolean | undefined },
    options: JobOptions,
  ): Promise<Answer<Name>> {
    const { name, path, beside, writers, allowCreate } = this.#parts;
    try {
      if (!writers) {
        const message = `Writing to the database ${JSON.stringify(name)} is not allowed`;
        throw new Refused(message, 'Set the option allowWrite to allow it', 'read-only');
      }
      if (args.create === true && !allowCreate) {
        const hint = 'Leave out create; the option allowCreate allows it';
        throw new Refused('Creating a database is not allowed', hint, 'no-create');
      }
      const { json } = await writers.run({ op, path, beside, args }, options);
      return parseExactJson(json) as Answer<Name>;
    } catch (error) {
      throw this.#withHint(error);
    }
  }

  /** Runs a read. If a writer was killed in a transaction, a new writer first repairs the database. */
  async #read(op: string, args: unknown, options: JobOptions): Promise<JobResult> {
    const { path, beside, readers, writers } = this.#parts;
    const request: Request = { op, path, beside, args };
    const deadline = performance.now() + options.timeoutMs + maxRepairMs;
    for (;;) {
      try {
        return await readers.run(request, options);
      } catch (error) {
        const waitMs = Math.floor(deadline - performance.now());
        if (!needsRepair(error) || !writers || waitMs <= 0) throw this.#withHint(error);
        const signal = options.call?.signal;
        signal?.throwIfAborted();
        const late = AbortSignal.timeout(waitMs);
        const ended = once(signal ? AbortSignal.any([signal, late]) : late, 'abort').then(() => false);
        const isRepaired = await Promise.race([writers.repair(path), ended]);
        signal?.throwIfAborted();
        if (!isRepaired) throw error;
      }
    }
  }

  /**
   * Adds a hint to an error, such as which option to set: the hint for the error's `reason` in the options of
   * `Databases`.
   */
  #withHint(error: unknown): unknown {
    if (!(error instanceof DatabaseError) || !error.failure.reason) return error;
    const { hints, allowCreate } = this.#parts;
    const creating = allowCreate ? 'A write or import with create: true creates the database' : undefined;
    const hint = { 'missing-database': creating, ...hints }[error.failure.reason];
    return hint === undefined ? error : new DatabaseError({ ...error.failure, hint }, { cause: error });
  }

  #options({ timeoutMs = this.#parts.timeoutMs, call }: RunOptions = {}): JobOptions {
    return { timeoutMs, call };
  }

  /**
   * The options of an export or backup. Without `call.progress`, which would report seconds: an export or
   * backup itself reports rows or pages.
   */
  #fileOptions(
    { timeoutMs = fileTimeoutMs, call }: RunOptions = {},
    sink: PieceSink<string, Backpressure>,
  ): JobOptions {
    return { timeoutMs, call: call && { signal: call.signal }, sink };
  }
}

function progressSink<Progress>(onProgress: (progress: Progress) => void): PieceSink<string, Backpressure> {
  return {
    write(piece) {
      onProgress(JSON.parse(piece) as Progress);
      return undefined;
    },
    restart() {},
  };
}
