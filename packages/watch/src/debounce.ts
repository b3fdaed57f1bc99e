/** How long to wait for the end of a burst. */
export interface Settling {
  settleMs: number;
  maxWaitMs: number;
}

/**
 * Turns a burst of pokes into a few runs: one once the pokes pause, and one from time to time while they do
 * not. A run always begins after the last poke, and two runs never overlap.
 */
export class Settle {
  readonly #run: () => Promise<void>;
  readonly #settling: Settling;
  #timer: NodeJS.Timeout | undefined;
  #latest = 0;
  #running = false;
  #again = false;

  constructor(run: () => Promise<void>, settling: Settling) {
    this.#run = run;
    this.#settling = settling;
  }

  /** Asks for a run; `quiet` pokes, which may come at any time, do not prolong the burst. */
  poke({ quiet = false } = {}): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    const { settleMs, maxWaitMs } = this.#settling;
    const now = performance.now();
    if (!this.#timer) {
      this.#latest = now + maxWaitMs - settleMs;
      this.#timer = setTimeout(() => void this.#settled(), settleMs).unref();
    } else if (!quiet && now < this.#latest) {
      this.#timer.refresh();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#again = false;
  }

  async #settled() {
    this.#timer = undefined;
    this.#running = true;
    await this.#run();
    this.#running = false;
    if (!this.#again) return;
    this.#again = false;
    this.poke();
  }
}
