import { maxDelayMs, unref } from '@mcp/kit';

/** One timer for the deadlines of many requests: a timer for each would slow down calls. */
export class DeadlineTimer {
  readonly #expire: (now: number) => number;
  #timer: NodeJS.Timeout | undefined;
  /** The time at which the timer fires, by `performance.now()`; Infinity without a deadline. */
  #at = Infinity;

  /** `expire` is called when a deadline may have passed; `expire` returns the next deadline, or Infinity. */
  constructor(expire: (now: number) => number) {
    this.#expire = expire;
  }

  /** Makes the timer fire at `deadline` or earlier. */
  add(deadline: number, now: number): void {
    if (deadline >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = deadline;
    this.#timer = setTimeout(() => this.#fire(), Math.min(maxDelayMs, Math.ceil(deadline - now)));
  }

  /** Sets whether the timer keeps the process alive. */
  keepAlive(on: boolean): void {
    if (!this.#timer) return;
    if (on) (this.#timer as Partial<NodeJS.Timeout>).ref?.();
    else unref(this.#timer);
  }

  /** Stops the timer, because a running timer would keep the connection in memory. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#at = Infinity;
  }

  #fire(): void {
    this.#at = Infinity;
    const now = performance.now();
    this.add(this.#expire(now), now);
  }
}
