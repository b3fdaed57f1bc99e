/** How a burst of triggers is joined into one call. */
export interface DebounceOptions {
  /** Milliseconds without a trigger that end a burst. */
  settleMs: number;
  /** Milliseconds after the first trigger at which a burst ends even though triggers continue. */
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

  /** Whether the burst may continue: it has begun, and its `maxWaitMs` have not passed. */
  get canWait(): boolean {
    return this.#deadline !== undefined && performance.now() < this.#deadline;
  }

  /**
   * Ends the burst. The next burst ends only after a pause of at least `minSettleMs` milliseconds, but not
   * later than `maxWaitMs` after its first trigger.
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
