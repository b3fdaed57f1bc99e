import type { PieceSink } from '../piece-sink.ts';
import { encodeRequest, type Request } from '../worker-protocol.ts';

export interface JobResult {
  readonly text: string;
  /** The JSON exactly as the child process wrote it. */
  readonly json: string;
}

/**
 * A call that can be cancelled. `signal` may be a getter that creates the signal, which takes time, so it is
 * read only for jobs that have run for some milliseconds.
 */
export interface Cancellable {
  readonly signal: AbortSignal;
  /** Called every second with the seconds that have passed (`done`) and the timeout in seconds (`total`). */
  readonly progress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

export interface JobLimits {
  readonly timeoutMs: number;
  readonly call?: Cancellable | undefined;
}

const progressIntervalMs = 1_000;
/** A job's signal is read only after this number of milliseconds, because most jobs have ended by then. */
const signalCheckAfterMs = 10;

/** One request to a child process, and its result. */
export class Job {
  readonly request: Request;
  readonly line: string;
  readonly queuedAt = performance.now();
  readonly deadline: number;
  readonly promise: Promise<JobResult>;
  /** When a process began the job, in milliseconds as of `performance.now()`; 0 before that. */
  startedAt = 0;
  /** The CPU time that the process had used, in milliseconds, when the job was first found to be slow. */
  cpuMsWhenSlow: number | undefined;
  /** Whether the job has already failed. If so, its answer is discarded. */
  abandoned = false;
  /** Whether the commit of the job's transaction has begun, so that it may have taken effect. */
  committing = false;
  /** Whether a piece of the result has arrived. */
  hasOutput = false;
  #reportedSeconds = 0;
  readonly #limits: JobLimits;
  readonly #sink: PieceSink | undefined;
  /** The pieces that have arrived, if there is no sink. */
  #json = '';
  #resolve!: (result: JobResult) => void;
  #reject!: (error: unknown) => void;

  /**
   * With a `sink`, the pieces of the answer are written to it. Without one, they are put together and become
   * the result.
   */
  constructor(request: Request, limits: JobLimits, sink?: PieceSink) {
    this.request = request;
    this.#limits = limits;
    this.line = encodeRequest(request);
    this.deadline = this.queuedAt + limits.timeoutMs;
    this.#sink = sink;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get timeoutMs(): number {
    return this.#limits.timeoutMs;
  }

  get signal(): AbortSignal | undefined {
    return this.#limits.call?.signal;
  }

  /** Whether the job was cancelled, or its deadline has passed. */
  isExpired(now: number): boolean {
    return (
      this.deadline <= now || (now - this.queuedAt > signalCheckAfterMs && this.signal?.aborted === true)
    );
  }

  /** Reports progress, at most once a second. */
  reportProgress(now: number): void {
    const seconds = Math.floor((now - this.queuedAt) / progressIntervalMs);
    if (seconds <= this.#reportedSeconds) return;
    this.#reportedSeconds = seconds;
    this.#limits.call?.progress?.(seconds, this.timeoutMs / 1_000, `${seconds} s`);
  }

  addPiece(json: Buffer): void {
    this.hasOutput = true;
    if (this.abandoned) return;
    if (this.#sink) this.#sink.write(json.toString());
    else this.#json += json.toString();
  }

  restart(): void {
    if (!this.hasOutput) return;
    this.hasOutput = false;
    this.#json = '';
    if (!this.abandoned) this.#sink?.restart();
  }

  succeed(text: string, lastPiece: Buffer): void {
    this.#resolve({ text, json: this.#json + lastPiece.toString() });
    this.#json = '';
  }

  fail(error: unknown): void {
    this.abandoned = true;
    this.#json = '';
    this.#reject(error);
  }
}
