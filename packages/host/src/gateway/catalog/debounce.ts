const quietMs = 50;
const maxMs = 500;

/** Calls `action` once for a burst of calls: after 50 ms without a call, or 500 ms after the first. */
export class Debounce {
  readonly #action: () => void;
  #timer: NodeJS.Timeout | undefined;
  #deadline = 0;

  constructor(action: () => void) {
    this.#action = action;
  }

  trigger(): void {
    const now = performance.now();
    if (this.#timer) clearTimeout(this.#timer);
    else this.#deadline = now + maxMs;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#action();
      },
      Math.max(0, Math.min(quietMs, this.#deadline - now)),
    );
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
