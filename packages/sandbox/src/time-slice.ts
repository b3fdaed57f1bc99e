const sliceMs = 5;

/** Splits long work into slices of 5 ms, so that the event loop serves other requests between them. */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  #until = performance.now() + sliceMs;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
    signal?.throwIfAborted();
  }

  get over(): boolean {
    return performance.now() > this.#until;
  }

  /** Resolves in the next turn of the event loop. Throws when the signal is aborted. */
  async pause(): Promise<void> {
    await new Promise((resume) => setImmediate(resume));
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + sliceMs;
  }
}
