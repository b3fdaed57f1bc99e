import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import type { Request } from '../worker-protocol.ts';
import { DatabaseProcess, repairAfterExit } from './database-process.ts';
import { Job, type JobResult } from './job.ts';
import type { JobOptions } from './reader-pool.ts';
import { closed, unknownOutcome, writerExited, writeTimedOut } from './query-errors.ts';

/** How many milliseconds to wait for the exit of a killed process, which may itself be waiting for a disk. */
const maxExitMs = 1_000;
const tickMs = 250;
/** How many milliseconds rolling back an unfinished transaction may take. */
const repairMs = 10 * 60_000;
/**
 * How many milliseconds a repair waits if a write to the same database has just started: SQLite repairs the
 * database when that write begins.
 */
const beginMs = 50;

/** Runs writes one after the other in a child process. If a write takes too long, the process is killed. */
export class WriteQueue {
  #process: DatabaseProcess | undefined;
  #queue: Job[] = [];
  #current: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #closed = false;
  /** The repairs in progress, keyed by the path of the database. */
  readonly #repairs = new Map<string, Promise<boolean>>();
  /**
   * When the server exits, rolls back an unfinished transaction, with which readers could not open the
   * database.
   */
  readonly #onServerExit = () => {
    this.#process?.kill();
    if (this.#current) repairAfterExit(this.#current.request.path);
  };

  async run(request: Request, options: JobOptions): Promise<JobResult> {
    const signal = options.call?.signal;
    signal?.throwIfAborted();
    const job = new Job(request, options, options.sink);
    const onAbort = () => this.#stop(job, signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.push(job);
    this.#next();
    try {
      return await job.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Opens a database in the writing process, so that SQLite rolls back an unfinished transaction, which a
   * read-only connection cannot do. Resolves with whether the database could be opened.
   */
  repair(path: string): Promise<boolean> {
    const pending = this.#repairs.get(path);
    if (pending) return pending;
    if (this.#current?.request.path === path && this.#process) return setTimeoutPromise(beginMs, true);
    const job = new Job({ op: 'repair', path, args: {} }, { timeoutMs: repairMs });
    const repaired = job.promise
      .then(
        () => true,
        () => false,
      )
      .finally(() => this.#repairs.delete(path));
    this.#repairs.set(path, repaired);
    this.#queue.unshift(job);
    this.#next();
    return repaired;
  }

  close(): void {
    this.#closed = true;
    process.off('exit', this.#onServerExit);
    clearTimeout(this.#timer);
    clearInterval(this.#ticker);
    const error = closed();
    this.#current?.fail(error);
    for (const job of [...(this.#process?.kill() ?? []), ...this.#queue.splice(0)]) job.fail(error);
    this.#process = undefined;
  }

  #next(): void {
    if (this.#current || this.#closed) return;
    const job = this.#queue.shift();
    if (!job) return;
    if (job.deadline <= performance.now()) {
      job.fail(
        writeTimedOut(job, 'The write waited for other writes until its timeout; nothing was written'),
      );
      return this.#next();
    }
    this.#current = job;
    process.once('exit', this.#onServerExit);
    this.#process ??= this.#start();
    this.#process.send(job);
    this.#timer = setTimeout(() => this.#stop(job), job.deadline - performance.now());
    this.#ticker = setInterval(() => job.reportProgress(performance.now()), tickMs);
  }

  #start(): DatabaseProcess {
    return new DatabaseProcess('write', {
      onAnswer: (process) => {
        // A process may have answered just before it was killed. In this case, the next job waits until it
        // has exited.
        if (process === this.#process && process.jobs.length === 0) this.#done();
      },
      onExit: (process, [job], reason) => {
        if (process === this.#process) {
          this.#process = undefined;
          job?.fail(writerExited(job, reason));
        } else job?.fail(writeTimedOut(job));
        const { request } = this.#current ?? {};
        if (request && request.op !== 'repair') void this.repair(request.path);
        this.#done();
      },
    });
  }

  #done(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#ticker);
    this.#current = undefined;
    process.off('exit', this.#onServerExit);
    this.#next();
  }

  /**
   * Stops a job. A job that waits is removed. For the current job, the writing process is killed, and SQLite
   * rolls back an unfinished transaction when the database is opened next.
   */
  #stop(job: Job, reason?: unknown): void {
    if (this.#current !== job) {
      this.#queue = this.#queue.filter((each) => each !== job);
      return job.fail(reason);
    }
    this.#process?.killAndDrain();
    this.#process = undefined;
    // A cancelled call fails immediately; for any other, the outcome is known only after the process's exit.
    if (reason !== undefined) return job.fail(reason);
    setTimeout(() => job.fail(writeTimedOut(job, unknownOutcome)), maxExitMs).unref();
  }
}
