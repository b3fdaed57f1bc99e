import { readDelay, type ReadTimes } from '../model/read-times.ts';

/** Reads while the page is visible: when it is wanted, when the page becomes visible, and now and then. */
export class Refresher {
  readonly #read: () => Promise<void>;
  readonly #times: ReadTimes;
  #lastRead: number | undefined;
  #isWanted = false;
  #isReading = false;
  #isInView = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `read` must not reject. */
  constructor(read: () => Promise<void>, times: ReadTimes) {
    this.#read = read;
    this.#times = times;
    document.addEventListener('visibilitychange', () => {
      if (this.#lastRead !== undefined) this.want();
    });
    // A host may keep a view that the user has scrolled away.
    new IntersectionObserver(([entry]) => {
      this.#isInView = entry!.isIntersecting;
      this.#plan();
    }).observe(document.documentElement);
  }

  /** Reads as soon as the gap between two reads allows it. */
  want(): void {
    this.#isWanted = true;
    this.#plan();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#isReading) return;
    const isVisible = this.#isInView && document.visibilityState === 'visible';
    const state = { lastRead: this.#lastRead, isVisible, isWanted: this.#isWanted };
    const delay = readDelay(state, this.#times, performance.now());
    if (delay !== undefined) this.#timer = setTimeout(() => void this.#run(), delay);
  }

  async #run(): Promise<void> {
    this.#lastRead = performance.now();
    this.#isWanted = false;
    this.#isReading = true;
    await this.#read();
    this.#isReading = false;
    this.#plan();
  }
}
