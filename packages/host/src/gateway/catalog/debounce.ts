const quietMs = 50;
const maxMs = 500;

/** Calls `action` once for a burst of calls: when it has been quiet for 50 ms, at the latest after 500 ms. */
export class Coalesced {
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
