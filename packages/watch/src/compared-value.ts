import { Debounce, type DebounceOptions } from './debounce.ts';

/** Options of a {@link ComparedValue}: how the value is read, and what is done when it changes. */
export interface ComparedValueOptions {
  /**
   * Returns the value as text, or undefined if the value is not known at the moment; then the last value is
   * kept.
   */
  read: () => Promise<string | undefined>;
  /**
   * Called after each read whose value differs from the last one. If it returns a promise, the next read
   * waits for this promise.
   */
  changed: () => void | Promise<void>;
  /**
   * Converts an error of `read` into a value, or into undefined to keep the last value. Not called for the
   * first read, whose error rejects `start`. Defaults to a text that contains the error.
   */
  readFailed?: ((error: unknown) => string | undefined) | undefined;
  /** Called with an error of `changed`; defaults to `process.emitWarning`. */
  changeFailed?: ((error: unknown) => void) | undefined;
  /**
   * How several calls of `trigger` in a short time lead to one read; by default each call reads immediately.
   */
  debounce?: DebounceOptions | undefined;
  /**
   * Whether a change is still in progress. If so, the value is read only after another `settleMs`, but at the
   * latest `maxWaitMs` after the first trigger. Used only with `debounce`.
   */
  isBusy?: (() => boolean | Promise<boolean>) | undefined;
}

export interface TriggerOptions {
  /**
   * Whether something has certainly changed; false if it only may have changed, as when a poll calls
   * `trigger`. Default: true.
   */
  certain?: boolean | undefined;
}

/**
 * Reads a value again after each call of `trigger`, and calls `changed` if the value differs from the last
 * one. Reads and calls of `changed` never overlap, and after the last trigger the value is always read once
 * more. With `debounce`, several triggers in a short time (a burst) lead to one read. If a trigger arrives
 * during the read, the value is read again before it is compared. After a slow read, the next burst ends only
 * when no trigger has arrived for as long as that read took.
 */
export class ComparedValue {
  readonly #options: ComparedValueOptions;
  readonly #debounce: Debounce | undefined;
  #last: string | undefined;
  #state: 'created' | 'idle' | 'running' | 'stopped' = 'created';
  #again: TriggerOptions | undefined;

  constructor(options: ComparedValueOptions) {
    this.#options = options;
    this.#debounce = options.debounce && new Debounce(() => void this.#run(), options.debounce);
  }

  /** Reads the first value; `changed` is not called for it. Rejects with the error of the read. */
  async start(): Promise<void> {
    if (this.#stopped) return;
    this.#state = 'running';
    try {
      this.#last = await this.#options.read();
    } catch (error) {
      this.stop();
      throw error;
    }
    this.#becomeIdle();
  }

  /** Reports that the value may have changed. Before `start` and after `stop` it does nothing. */
  trigger({ certain = true }: TriggerOptions = {}): void {
    if (this.#state === 'running') this.#again = { certain: certain || this.#again?.certain };
    if (this.#state !== 'idle') return;
    if (this.#debounce) this.#debounce.trigger({ prolong: certain });
    else void this.#run();
  }

  /** Stops the calls of `changed` immediately. A read that is still in progress does not lead to a call. */
  stop(): void {
    this.#state = 'stopped';
    this.#debounce?.stop();
  }

  async #run(): Promise<void> {
    this.#state = 'running';
    if (await this.#isBusy()) return this.#retryLater();

    this.#again = undefined;
    const begun = performance.now();
    const value = await this.#read();
    // After a trigger during the read, the value may be from the middle of a change, so it is read again.
    if (this.#isTriggered && this.#debounce?.canWait) return this.#retryLater();
    this.#debounce?.endBurst(performance.now() - begun);

    if (!this.#stopped && value !== undefined && value !== this.#last) {
      this.#last = value;
      await this.#notify();
    }
    this.#becomeIdle();
  }

  async #isBusy(): Promise<boolean | undefined> {
    if (!this.#debounce?.canWait) return false;
    return this.#options.isBusy?.();
  }

  async #read(): Promise<string | undefined> {
    try {
      return await this.#options.read();
    } catch (error) {
      const { readFailed = (reason: unknown) => `failed: ${String(reason)}` } = this.#options;
      return readFailed(error);
    }
  }

  async #notify(): Promise<void> {
    try {
      await this.#options.changed();
    } catch (error) {
      const { changeFailed = (reason: unknown) => process.emitWarning(String(reason)) } = this.#options;
      changeFailed(error);
    }
  }

  #retryLater(): void {
    this.#again ??= { certain: true };
    this.#becomeIdle();
  }

  #becomeIdle(): void {
    if (this.#stopped) return;
    this.#state = 'idle';
    const again = this.#again;
    this.#again = undefined;
    if (again) this.trigger(again);
  }

  // These are getters, because TypeScript would otherwise assume that `#state` does not change during an
  // await.
  get #stopped(): boolean {
    return this.#state === 'stopped';
  }

  get #isTriggered(): boolean {
    return this.#again?.certain === true;
  }
}
