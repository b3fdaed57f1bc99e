/** Milliseconds without a change after which the sources count as saved, and the most to wait for that. */
const settleMs = 100;
const maxSettleMs = 1_000;

/** A change within so many milliseconds after a restart may come from the server that was started. */
const soonMs = 5_000;

/** The number of restarts in a row, each soon after the one before, that are not delayed. */
const maxInARow = 5;

const maxDelayMs = 15_000;

/**
 * How long a restart waits. A server that changes its own sources when it starts would be restarted without
 * end: after five restarts in a row, each one waits twice as long as the one before, up to 15 seconds.
 */
export class RestartDelay {
  #inARow = 0;
  #restartedAt = -Infinity;
  /** The time of the first change since the last restart. */
  #changedAt: number | undefined;

  /** Milliseconds until the restart for a change at the time `now`, in milliseconds. */
  after(now: number): number {
    if (now - this.#restartedAt > soonMs && this.#changedAt === undefined) this.#inARow = 0;
    this.#changedAt ??= now;
    const waited = now - this.#changedAt;
    const excess = this.#inARow - maxInARow;
    if (excess < 0) return Math.max(0, Math.min(settleMs, maxSettleMs - waited));
    return Math.max(0, Math.min(maxDelayMs, 1_000 * 2 ** excess) - waited);
  }

  /** Counts a restart. Returns whether the next one in the row would be the first that is delayed. */
  restarted(now: number): boolean {
    this.#inARow++;
    this.#restartedAt = now;
    this.#changedAt = undefined;
    return this.#inARow === maxInARow;
  }
}
