/** Maximum number of requests in each minute, hour and day. Hours and days begin in UTC. */
export interface QuotaLimits {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
}

const spans = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Counts requests for each calendar minute, hour and day, as the upstream does. */
export class Quota {
  readonly #limits: QuotaLimits;
  readonly #used = new Map<keyof QuotaLimits, { span: number; count: number }>();

  constructor(limits: QuotaLimits) {
    this.#limits = limits;
  }

  /**
   * If the limits, multiplied by `share`, allow a request of this weight, counts it and returns 0. Otherwise
   * returns how many milliseconds to wait. `now` is in milliseconds since 1970.
   */
  take(weight: number, now: number, share = 1): number {
    const names = Object.keys(spans) as (keyof QuotaLimits)[];
    const waits = names.map((name) => {
      const span = Math.floor(now / spans[name]);
      const used = this.#used.get(name);
      const count = used?.span === span ? used.count : 0;
      return count + weight > this.#limits[name] * share && count > 0 ? (span + 1) * spans[name] - now : 0;
    });
    const wait = Math.max(...waits);
    if (wait > 0) return wait;
    for (const name of names) {
      const span = Math.floor(now / spans[name]);
      const used = this.#used.get(name);
      this.#used.set(name, { span, count: (used?.span === span ? used.count : 0) + weight });
    }
    return 0;
  }
}
