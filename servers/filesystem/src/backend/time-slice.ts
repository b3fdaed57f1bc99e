const sliceMs = 5;

/** Lets long work on the event loop pause, so that whoever else waits for it is served meanwhile. */
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

  /** Resolves in the next turn of the event loop, when the work may go on. */
  async pause(): Promise<void> {
    await new Promise((resume) => setImmediate(resume));
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + sliceMs;
  }
}
