import { once } from 'node:events';
import { DatabaseError, needsRepair } from './errors.ts';
import { parseExactJson } from './exact-json.ts';
import type { Backpressure, PieceSink } from './piece-sink.ts';
import type { Cancellable, JobResult } from './pool/job.ts';
import type { JobOptions, ReaderPool } from './pool/reader-pool.ts';
import type { WriteQueue } from './pool/write-queue.ts';
import { encodeParameters, type Request } from './worker-protocol.ts';
import type {
  Answer,
  Arguments,
  BackupProgress,
  ImportProgress,
  Operations,
  StreamArguments,
} from './worker/operations.ts';

export interface RunOptions {
  /** Defaults to the database's own timeout. */
  readonly timeoutMs?: number | undefined;
  readonly call?: Cancellable | undefined;
}

/** How long counting the rows of views may take. */
const countTimeoutMs = 2_000;
/** A query for more rows may be repeated row by row when it runs out of memory. */
const maxRowsAtOnce = 1_000;

/** Maximum wait of a read for the repair of its database, on top of its own time. */
const maxRepairMs = 20_000;

/** A part of an export: the rows so far, and the text that they add. */
export interface ExportPiece {
  readonly rows: number;
  readonly text: string;
}

interface DatabaseParts {
  readonly name: string;
  readonly path: string;
  readonly readers: ReaderPool;
  readonly writers: WriteQueue | undefined;
  readonly allowCreate: boolean;
  readonly timeoutMs: number;
}

/** One database. Every operation runs in a child process. */
export class Database {
  /** Its name in tools and URIs. */
  readonly name: string;
  readonly path: string;
  readonly #readers: ReaderPool;
  readonly #writers: WriteQueue | undefined;
  readonly #allowCreate: boolean;
  readonly #timeoutMs: number;

  constructor({ name, path, readers, writers, allowCreate, timeoutMs }: DatabaseParts) {
    this.name = name;
    this.path = path;
    this.#readers = readers;
    this.#writers = writers;
    this.#allowCreate = allowCreate;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs a reading statement. Returns the text for a model, and the structured result as JSON. */
  async query(args: StreamArguments<'query'>, options: RunOptions = {}): Promise<JobResult> {
    const run = (stepwise: boolean) =>
      this.#read(
        { op: 'query', path: this.path, args: { ...args, params: encodeParameters(args.params), stepwise } },
        this.#options(options),
      );
    try {
      return await run(false);
    } catch (error) {
      // Rows that do not fit into memory together may do so one by one.
      const code = error instanceof DatabaseError ? error.failure.code : undefined;
      if (code !== 'SQLITE_NOMEM' || args.limit <= maxRowsAtOnce) throw error;
      return run(true);
    }
  }

  /** Writes all rows of a query as the text of a file. Returns their number. */
  async export(
    args: StreamArguments<'export'>,
    sink: PieceSink<ExportPiece, Backpressure>,
    options: RunOptions = {},
  ): Promise<number> {
    const write = (piece: string) => {
      const [rows, text] = JSON.parse(piece) as [number, string];
      return sink.write({ rows, text });
    };
    const request = {
      op: 'export',
      path: this.path,
      args: { ...args, params: encodeParameters(args.params) },
    };
    const { text, json } = await this.#read(
      request,
      this.#options(options, { write, restart: () => sink.restart() }),
    );
    await write(json);
    return Number(text);
  }

  /** Copies the database to a file, which is overwritten. Returns the permissions of the database. */
  async backup(
    file: string,
    onProgress: (progress: BackupProgress) => void,
    options: RunOptions = {},
  ): Promise<number> {
    const sink = {
      write(piece: string) {
        onProgress(JSON.parse(piece) as BackupProgress);
        return undefined;
      },
      restart() {},
    };
    const request = { op: 'backup', path: this.path, args: { file } };
    const { json } = await this.#read(request, { ...this.#options(options, sink), long: true });
    return (JSON.parse(json) as { mode: number }).mode;
  }

  /** A page of tables and views. The rows of views are counted where that takes less than two seconds. */
  tables(args: Omit<Arguments<'tables'>, 'countViews'>, options?: RunOptions): Promise<Answer<'tables'>> {
    return this.#countingViews(
      (countViews, limited) => this.run('tables', { ...args, countViews }, limited),
      options,
    );
  }

  /** Describes a table or view; its rows are counted where that takes less than two seconds. */
  describe(table: string, options?: RunOptions): Promise<Answer<'describe'>> {
    return this.#countingViews(
      (countViews, limited) => this.run('describe', { table, countViews }, limited),
      options,
    );
  }

  /** The description of a table or view and its first rows. */
  overview(table: string, limit: number, options?: RunOptions): Promise<Answer<'overview'>> {
    return this.#countingViews(
      (countViews, limited) => this.run('overview', { table, limit, countViews }, limited),
      options,
    );
  }

  /** Runs `read`, and again without counting the rows of views where that takes too long. */
  async #countingViews<Result>(
    read: (countViews: boolean, options: RunOptions) => Promise<Result>,
    options: RunOptions = {},
  ): Promise<Result> {
    const { timeoutMs = this.#timeoutMs } = options;
    try {
      return await read(true, { ...options, timeoutMs: Math.min(timeoutMs, countTimeoutMs) });
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.failure.code !== 'SQLITE_INTERRUPT') throw error;
      return read(false, options);
    }
  }

  /** Runs any other operation that reads. */
  async run<Name extends Exclude<keyof Operations, 'write' | 'import'>>(
    op: Name,
    args: Arguments<Name>,
    options: RunOptions = {},
  ): Promise<Answer<Name>> {
    const { json } = await this.#read({ op, path: this.path, args }, this.#options(options));
    return parseExactJson(json) as Answer<Name>;
  }

  /** Runs writing statements in one transaction. Throws where the server is read-only. */
  async write(args: Arguments<'write'>, options: RunOptions = {}): Promise<Answer<'write'>> {
    const statements = args.statements.map(({ sql, params }) => ({ sql, params: encodeParameters(params) }));
    return this.#write('write', { ...args, statements }, this.#options(options));
  }

  /** Imports a file into a table, and reports its progress. Throws where the server is read-only. */
  async import(
    args: Arguments<'import'>,
    onProgress: (progress: ImportProgress) => void,
    options: RunOptions = {},
  ): Promise<Answer<'import'>> {
    const sink = {
      write(piece: string) {
        onProgress(JSON.parse(piece) as ImportProgress);
        return undefined;
      },
      restart() {},
    };
    return this.#write('import', args, this.#options(options, sink));
  }

  async #write<Name extends 'write' | 'import'>(
    op: Name,
    args: Arguments<Name> & { readonly create?: boolean | undefined },
    options: JobOptions,
  ): Promise<Answer<Name>> {
    const { create } = args;
    if (!this.#writers) {
      throw new DatabaseError({
        message: 'This server is read-only',
        hint: 'Start it with --allow-write to enable writing',
      });
    }
    if (create === true && !this.#allowCreate) {
      throw new DatabaseError({
        message: 'This server creates no databases',
        hint: 'Start it with --create to enable that, or leave out create',
      });
    }
    const { json } = await this.#writers.run({ op, path: this.path, args }, options);
    return parseExactJson(json) as Answer<Name>;
  }

  /**
   * Runs a read. A server that may write first repairs a database whose writer was killed; a reader cannot.
   */
  async #read(request: Request, options: JobOptions): Promise<JobResult> {
    const deadline = performance.now() + options.timeoutMs + maxRepairMs;
    for (;;) {
      try {
        return await this.#readers.run(request, options);
      } catch (error) {
        const waitMs = Math.floor(deadline - performance.now());
        if (!needsRepair(error) || !this.#writers || waitMs <= 0) throw error;
        const signal = options.call?.signal;
        signal?.throwIfAborted();
        const late = AbortSignal.timeout(waitMs);
        const ended = once(signal ? AbortSignal.any([signal, late]) : late, 'abort').then(() => false);
        const isRepaired = await Promise.race([this.#writers.repair(this.path), ended]);
        signal?.throwIfAborted();
        if (!isRepaired) throw error;
      }
    }
  }

  #options(
    { timeoutMs = this.#timeoutMs, call }: RunOptions,
    sink?: PieceSink<string, Backpressure>,
  ): JobOptions {
    return { timeoutMs, call, sink };
  }
}
