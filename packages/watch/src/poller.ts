import type { Stop } from './stop.ts';

/** Calls all added callbacks at an interval. Its timer does not keep the process alive. */
export class Poller {
  readonly #intervalMs: number;
  readonly #callbacks = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(callback: () => void): Stop {
    this.#callbacks.add(callback);
    this.#timer ??= setInterval(() => this.#poll(), this.#intervalMs).unref();
    return () => this.#remove(callback);
  }

  #poll() {
    for (const callback of this.#callbacks) callback();
  }

  #remove(callback: () => void) {
    this.#callbacks.delete(callback);
    if (this.#callbacks.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
