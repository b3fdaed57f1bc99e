import type { Request } from './wire.ts';

/** What a process answered: the text, and JSON that it wrote itself. */
export interface Reply {
  readonly text: string;
  readonly json: string;
}

interface JobParts {
  readonly signal?: AbortSignal | undefined;
  readonly piece?: ((json: string) => void) | undefined;
}

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
  readonly signal: AbortSignal | undefined;
  readonly #piece: ((json: string) => void) | undefined;
  #pieces: string[] = [];
  /** A part of its answer is here. */
  answering = false;
  #resolve!: (reply: Reply) => void;
  #reject!: (error: unknown) => void;

  constructor(request: Request, timeoutMs: number, { signal, piece }: JobParts = {}) {
    this.signal = signal;
    this.line = `${JSON.stringify(request)}\n`;
    this.deadline = this.arrived + timeoutMs;
    this.#piece = piece;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get timeoutMs(): number {
    return this.deadline - this.arrived;
  }

  /** Whether it is cancelled, or its time is over. */
  isOver(now: number): boolean {
    return this.deadline <= now || this.signal?.aborted === true;
  }

  piece(json: string): void {
    this.answering = true;
    if (this.abandoned) return;
    if (this.#piece) this.#piece(json);
    else this.#pieces.push(json);
  }

  restart(): void {
    this.#pieces = [];
  }

  succeed(text: string, last: string): void {
    const json = this.#pieces.length === 0 ? last : this.#pieces.join('') + last;
    this.#pieces = [];
    this.#resolve({ text, json });
  }

  fail(error: unknown): void {
    this.abandoned = true;
    this.#pieces = [];
    this.#reject(error);
  }
}
