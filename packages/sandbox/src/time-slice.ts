const sliceMs = 5;

/** Splits long work into slices of 5 ms, so that the event loop serves other requests between them. */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  readonly #progress: (() => void) | undefined;
  #until = performance.now() + sliceMs;

  /** @param progress called before each pause */
  constructor(signal?: AbortSignal, progress?: () => void) {
    this.#signal = signal;
    this.#progress = progress;
    signal?.throwIfAborted();
  }

  get over(): boolean {
    return performance.now() > this.#until;
  }

  /** Resolves in the next turn of the event loop. Throws when the signal is aborted. */
  async pause(): Promise<void> {
    this.#progress?.();
    await new Promise((resume) => setImmediate(resume));
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + sliceMs;
  }
}
