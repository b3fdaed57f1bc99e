import type { Request } from '../worker-protocol.ts';

/** What a process answered: the text, and JSON that it wrote itself. */
export interface Reply {
  readonly text: string;
  readonly json: string;
}

/** Whose signal is asked for only when a request takes its time: making one costs as much as a small query. */
export interface Cancellable {
  readonly signal: AbortSignal;
}

export interface Patience {
  readonly timeoutMs: number;
  readonly call?: Cancellable | undefined;
}

/** Takes an answer piece by piece; without it, a job collects the pieces itself. */
export interface Pieces {
  piece(json: string): void;
  /** What came so far does not count. */
  restart(): void;
}

/** Who has waited no longer than this is not asked whether it still does. */
const patienceMs = 10;

/** One request on its way to a process and back. */
export class Job {
  readonly line: string;
  readonly arrived = performance.now();
  readonly deadline: number;
  readonly promise: Promise<Reply>;
  /** When a process began with it. */
  begun = 0;
  /** What its process had computed when it was first seen to take its time, in milliseconds. */
  seen: number | undefined;
  /** Nobody waits for it any more. */
  abandoned = false;
  readonly #patience: Patience;
  readonly #pieces: Pieces | undefined;
  /** What has come of its answer. */
  #json = '';
  /** What it writes may be written by now. */
  committing = false;
  /** A part of its answer is here. */
  answering = false;
  #resolve!: (reply: Reply) => void;
  #reject!: (error: unknown) => void;

  constructor(request: Request, patience: Patience, pieces?: Pieces) {
    this.#patience = patience;
    this.line = `${JSON.stringify(request)}\n`;
    this.deadline = this.arrived + patience.timeoutMs;
    this.#pieces = pieces;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get timeoutMs(): number {
    return this.#patience.timeoutMs;
  }

  get signal(): AbortSignal | undefined {
    return this.#patience.call?.signal;
  }

  /** Whether it is cancelled, or its time is over. */
  isOver(now: number): boolean {
    return this.deadline <= now || (now - this.arrived > patienceMs && this.signal?.aborted === true);
  }

  piece(json: Buffer): void {
    this.answering = true;
    if (this.abandoned) return;
    if (this.#pieces) this.#pieces.piece(json.toString());
    else this.#json += json.toString();
  }

  restart(): void {
    if (!this.answering) return;
    this.answering = false;
    this.#json = '';
    if (!this.abandoned) this.#pieces?.restart();
  }

  succeed(text: string, last: Buffer): void {
    this.#resolve({ text, json: this.#json + last.toString() });
    this.#json = '';
  }

  fail(error: unknown): void {
    this.abandoned = true;
    this.#json = '';
    this.#reject(error);
  }
}
