/** Lets a few at a time do something, in the order in which they came. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Waits for a turn, and gives how to end it. Gives up with the signal's reason. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#most) this.#taken++;
    else await this.#wait(signal);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal?.reason as Error);
      };
      this.#waiting.push(turn);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
