import type { Progress } from '../progress.ts';

const everyMs = 1_000;
const mostOftenMs = 200;

/** Tells that a command is still at work, and how much it has printed, where git itself tells nothing. */
export class ReadReport implements Disposable {
  readonly #progress: Progress;
  readonly #command: string;
  readonly #started = Date.now();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #told = 0;
  #toldAt = 0;

  constructor(progress: Progress, command: string) {
    this.#progress = progress;
    this.#command = command;
    this.#timer = setInterval(() => this.#tell(), everyMs);
  }

  took(bytes: number): void {
    this.#bytes += bytes;
    if (Date.now() - this.#toldAt >= mostOftenMs) this.#tell();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    this.#toldAt = Date.now();
    const seconds = Math.round((this.#toldAt - this.#started) / 1_000);
    const kib = Math.ceil(this.#bytes / 1_024);
    this.#progress(++this.#told, undefined, `git ${this.#command}: ${seconds} s, ${kib} KiB read`);
  }
}
