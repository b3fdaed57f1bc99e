/** How a burst, that is several calls of `trigger` in a short time, is joined into one call of `run`. */
export interface DebounceOptions {
  /** A burst ends when there was no trigger for this many milliseconds. */
  settleMs: number;
  /** A burst ends this many milliseconds after its first trigger, even if triggers continue. */
  maxWaitMs: number;
}

/** Joins a burst of triggers into one call of `run`. The timer does not keep the process alive. */
export class Debounce {
  readonly #run: () => void;
  readonly #options: DebounceOptions;
  #settleMs: number;
  #deadline: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: () => void, options: DebounceOptions) {
    this.#run = run;
    this.#options = options;
    this.#settleMs = options.settleMs;
  }

  /** Schedules the call. Postpones a call that is already scheduled, unless `prolong` is false. */
  trigger({ prolong = true } = {}): void {
    const now = performance.now();
    this.#deadline ??= now + this.#options.maxWaitMs;
    if (!this.#timer) {
      const delay = Math.min(this.#settleMs, Math.max(this.#deadline - now, 0));
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#run();
      }, delay).unref();
    } else if (prolong && now + this.#settleMs < this.#deadline) {
      this.#timer.refresh();
    }
  }

  /** Whether the burst may wait for more triggers: it has begun, and its `maxWaitMs` have not passed. */
  get canWait(): boolean {
    return this.#deadline !== undefined && performance.now() < this.#deadline;
  }

  /**
   * Ends the burst. The next burst ends when no trigger has arrived for `minSettleMs` milliseconds (or
   * `settleMs`, if that is longer), but not later than `maxWaitMs` after its first trigger.
   */
  endBurst(minSettleMs = 0): void {
    const { settleMs, maxWaitMs } = this.#options;
    this.#deadline = undefined;
    this.#settleMs = Math.max(settleMs, Math.min(minSettleMs, maxWaitMs));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
