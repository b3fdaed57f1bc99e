/** How often something may happen: so many times at once, and once more after each `refillMs`. */
export interface Rate {
  readonly burst: number;
  readonly refillMs: number;
}

const maxKeys = 10_000;

/** Limits how often something may happen for each key. Times are those of the system clock. */
export class TokenBuckets {
  readonly #rate: Rate;
  /** When the bucket of a key will be full again. Only buckets that are not full are kept. */
  readonly #fullAt = new Map<string, number>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Takes one, and returns 0; otherwise, the milliseconds until one can be taken. */
  take(key: string, now = Date.now()): number {
    const { burst, refillMs } = this.#rate;
    let known = this.#fullAt.get(key) ?? 0;
    // An empty bucket is full again after this time, unless the clock has been set back since.
    const latest = now + burst * refillMs;
    if (known > latest) this.#fullAt.set(key, (known = latest));
    const fullAt = Math.max(known, now) + refillMs;
    const waitMs = fullAt - now - burst * refillMs;
    if (waitMs > 0) return waitMs;
    // Set anew, so that the map is in the order of the last use.
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    if (this.#fullAt.size > maxKeys) this.#drop(now);
    return 0;
  }

  /** Gives one back that was taken. */
  giveBack(key: string): void {
    const fullAt = this.#fullAt.get(key);
    if (fullAt !== undefined) this.#fullAt.set(key, fullAt - this.#rate.refillMs);
  }

  #drop(now: number): void {
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(key);
    for (const key of this.#fullAt.keys()) {
      if (this.#fullAt.size <= maxKeys) return;
      this.#fullAt.delete(key);
    }
  }
}
