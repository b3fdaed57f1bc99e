import type { Stop } from './stop.ts';

/** Calls all its visits again and again, as long as it has any. It does not keep the process alive. */
export class Rounds {
  readonly intervalMs: number;
  readonly #visits = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs;
  }

  add(visit: () => void): Stop {
    this.#visits.add(visit);
    this.#timer ??= setInterval(() => this.#go(), this.intervalMs).unref();
    return () => this.#remove(visit);
  }

  #go() {
    for (const visit of this.#visits) visit();
  }

  #remove(visit: () => void) {
    this.#visits.delete(visit);
    if (this.#visits.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
