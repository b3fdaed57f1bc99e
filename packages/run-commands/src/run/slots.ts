/** How many may wait for a slot. */
const maxWaiting = 16;

/** A bounded number of tasks that run at the same time; others wait in their order. */
export class Slots {
  readonly #max: number;
  readonly #running: string[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Runs a task when there is a slot. Throws if too many wait already, and with the reason of the signal if
   * that aborts first. `waits` is called if the task has to wait.
   */
  async run<T>(
    name: string,
    { signal, waits }: { signal: AbortSignal; waits: (running: readonly string[]) => void },
    task: () => Promise<T>,
  ): Promise<T> {
    if (this.#running.length >= this.#max) {
      if (this.#waiting.length >= maxWaiting)
        throw new Error(
          `${this.#running.length} commands are running (${this.#running.join(', ')}) and ${maxWaiting} are waiting; call again when one has ended`,
        );
      waits(this.#running);
      await this.#wait(signal);
    }
    this.#running.push(name);
    try {
      return await task();
    } finally {
      this.#running.splice(this.#running.indexOf(name), 1);
      this.#waiting.shift()?.();
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      reject(signal.reason as Error);
    };
    this.#waiting.push(resolve);
    signal.addEventListener('abort', abort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', abort));
  }
}
