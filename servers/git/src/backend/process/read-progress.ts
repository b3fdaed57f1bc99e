import type { Progress } from '../progress.ts';

const intervalMs = 1_000;
const minIntervalMs = 200;

/** Reports the elapsed time and the bytes read, for commands whose progress git does not print. */
export class ReadProgress implements Disposable {
  readonly #progress: Progress;
  readonly #command: string;
  readonly #started = Date.now();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #reports = 0;
  #reportedAt = 0;

  constructor(progress: Progress, command: string) {
    this.#progress = progress;
    this.#command = command;
    this.#timer = setInterval(() => this.#report(), intervalMs);
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (Date.now() - this.#reportedAt >= minIntervalMs) this.#report();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #report(): void {
    this.#reportedAt = Date.now();
    const seconds = Math.round((this.#reportedAt - this.#started) / 1_000);
    const kib = Math.ceil(this.#bytes / 1_024);
    this.#progress(++this.#reports, undefined, `git ${this.#command}: ${seconds} s, ${kib} KiB read`);
  }
}
