import type { Answer, Arguments, Operations, StreamArguments } from './worker/operations.ts';
import { DatabaseError } from './errors.ts';
import type { Cancellable } from './pool/job.ts';
import type { JobOptions, Readers, Sink } from './pool/reader-pool.ts';
import type { Writers } from './pool/write-queue.ts';

export interface RunOptions {
  /** Milliseconds from now. */
  readonly timeoutMs?: number | undefined;
  readonly call?: Cancellable | undefined;
}

const countingMs = 2_000;

/** Where exported text goes. */
interface ExportSink {
  /** Gets the rows so far and the text that they add; gives what to wait for before the next. */
  take(rows: number, text: string): Promise<unknown> | undefined;
  /** What it got does not count: it begins again. */
  restart(): void;
}

interface DatabaseParts {
  readonly name: string;
  readonly path: string;
  readonly readers: Readers;
  readonly writers: Writers | undefined;
  readonly timeoutMs: number;
}

/** One database as the server sees it: everything is asked of processes. */
export class Database {
  /** What tools and URIs call it. */
  readonly name: string;
  readonly path: string;
  readonly #readers: Readers;
  readonly #writers: Writers | undefined;
  readonly #timeoutMs: number;

  constructor({ name, path, readers, writers, timeoutMs }: DatabaseParts) {
    this.name = name;
    this.path = path;
    this.#readers = readers;
    this.#writers = writers;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs a statement that reads. `json` is the result as the process wrote it, `text` what a model reads. */
  async query(
    args: StreamArguments<'query'>,
    options: RunOptions = {},
  ): Promise<{ readonly text: string; readonly json: string }> {
    const run = (stepwise: boolean) =>
      this.#readers.run(
        { op: 'query', path: this.path, args: { ...args, stepwise } },
        this.#options(options),
      );
    try {
      return await run(false);
    } catch (error) {
      // Many rows that are too large to be held all at once may still fit one by one.
      const code = error instanceof DatabaseError ? error.failure.code : undefined;
      if (code !== 'SQLITE_NOMEM' || args.limit <= 1_000) throw error;
      return run(true);
    }
  }

  /** All rows of a query as the text of a file. Gives their number. */
  async export(args: StreamArguments<'export'>, sink: ExportSink, options: RunOptions = {}): Promise<number> {
    const piece = (part: string) => {
      const [rows, added] = JSON.parse(part) as [number, string];
      return sink.take(rows, added);
    };
    const request = { op: 'export', path: this.path, args };
    const { text, json } = await this.#readers.run(
      request,
      this.#options(options, { piece, restart: () => sink.restart() }),
    );
    await piece(json);
    return Number(text);
  }

  /** All tables and views. The rows of views are counted where that does not take long. */
  async tables(options: RunOptions = {}): Promise<Answer<'tables'>> {
    const { timeoutMs = this.#timeoutMs } = options;
    try {
      const soon = { ...options, timeoutMs: Math.min(timeoutMs, countingMs) };
      return await this.ask('tables', { countViews: true }, soon);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.failure.code !== 'SQLITE_INTERRUPT') throw error;
      return this.ask('tables', { countViews: false }, options);
    }
  }

  /** Asks for anything else that reads. */
  async ask<Name extends Exclude<keyof Operations, 'write'>>(
    op: Name,
    args: Arguments<Name>,
    options: RunOptions = {},
  ): Promise<Answer<Name>> {
    const { json } = await this.#readers.run({ op, path: this.path, args }, this.#options(options));
    return JSON.parse(json) as Answer<Name>;
  }

  /** Runs one statement that writes, in a transaction of its own. */
  async write(args: Arguments<'write'>, options: RunOptions = {}): Promise<Answer<'write'>> {
    if (!this.#writers) {
      throw new DatabaseError({
        message: 'This server only reads',
        hint: 'It writes where it is started with --allow-write',
      });
    }
    const { json } = await this.#writers.run({ op: 'write', path: this.path, args }, this.#options(options));
    return JSON.parse(json) as Answer<'write'>;
  }

  #options({ timeoutMs = this.#timeoutMs, call }: RunOptions, sink?: Sink): JobOptions {
    return { timeoutMs, call, sink };
  }
}
