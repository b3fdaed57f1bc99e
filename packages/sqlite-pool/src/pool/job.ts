import type { PieceSink } from '../piece-sink.ts';
import { encodeRequest, type Request } from '../worker-protocol.ts';

/** The result of a request. */
export interface JobResult {
  readonly text: string;
  /** JSON as the child process wrote it. */
  readonly json: string;
}

/**
 * A call that can be cancelled. Its signal is read only for slow requests: creating one costs as much as a
 * small query.
 */
export interface Cancellable {
  readonly signal: AbortSignal;
  /** Receives, every second, the seconds so far and the timeout in seconds. */
  readonly progress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

export interface JobLimits {
  readonly timeoutMs: number;
  readonly call?: Cancellable | undefined;
}

const progressIntervalMs = 1_000;
/** The signal of a job is read only after this time: until then most jobs have ended. */
const signalCheckAfterMs = 10;

/** One request to a child process, and its result. */
export class Job {
  readonly request: Request;
  readonly line: string;
  readonly queuedAt = performance.now();
  readonly deadline: number;
  readonly promise: Promise<JobResult>;
  /** When a process began the job, by `performance.now()`; 0 before that. */
  startedAt = 0;
  /** CPU time of the process, in milliseconds, when the job was first found to be slow. */
  cpuMsWhenSlow: number | undefined;
  /** Whether the job has failed already, so that its answer is discarded. */
  abandoned = false;
  /** Whether the transaction of the job may have been committed. */
  committing = false;
  /** Whether a piece of the result has arrived. */
  hasOutput = false;
  #reportedSeconds = 0;
  readonly #limits: JobLimits;
  readonly #sink: PieceSink | undefined;
  /** The pieces so far, if there is no sink. */
  #json = '';
  #resolve!: (result: JobResult) => void;
  #reject!: (error: unknown) => void;

  /** Without a `sink`, the pieces are collected in the result. */
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

  /** Whether the job is cancelled or past its deadline. */
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
