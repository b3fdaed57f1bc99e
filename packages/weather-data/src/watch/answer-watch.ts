import { messageOf } from '@mcp/kit';
import { ComparedValue, type Watcher } from '@mcp/watch';
import type { Clock } from '../clock.ts';
import type { FetchOptions } from '../cache/upstream-document.ts';
import { WeatherError, isTransient } from '../errors.ts';

/** Returns an answer as text, and calls `options.onDependency` with each file that it depends on. */
export type ReadAnswer = (options: FetchOptions) => Promise<string>;

/** Tells how long documents are fresh. */
export interface Freshness {
  /** When the document in a file ceases to be fresh, in ms since 1970; undefined if unknown. */
  freshUntil(file: string): number | undefined;
}

interface AnswerWatchOptions {
  readonly read: ReadAnswer;
  readonly changed: () => void;
  readonly watcher: Watcher;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** If given, the answer is fetched again whenever it is no longer fresh. */
  readonly freshness?: Freshness;
}

const minWaitMs = 60_000;
const maxWaitMs = 3_600_000;

/** Reads an answer again when one of its files changes, and fetches it again when it is no longer fresh. */
export class AnswerWatch {
  readonly #options: AnswerWatchOptions;
  readonly #value: ComparedValue;
  readonly #stops = new Map<string, (() => void) | undefined>();
  readonly #end = new AbortController();

  constructor(options: AnswerWatchOptions) {
    this.#options = options;
    const { changed, warn } = options;
    this.#value = new ComparedValue({
      read: () => this.#readWatched(),
      changed,
      changeFailed: (error) => warn(`Failed to handle a changed answer: ${messageOf(error)}`),
    });
  }

  /** Starts the watch. Resolves when every later change will be noticed. */
  async start(): Promise<void> {
    // Fetches the answer first, because nothing may be cached yet. If that fails temporarily, the watch
    // starts nevertheless.
    if (this.#options.freshness) await this.#refresh(false).catch(throwUnlessPassing);
    await this.#value.start();
    if (this.#options.freshness) void this.#keepFresh();
  }

  stop(): void {
    this.#end.abort();
    this.#value.stop();
    for (const stop of this.#stops.values()) stop?.();
    this.#stops.clear();
  }

  /**
   * Reads the answer, and starts to watch the files that it used. Repeats this until all used files were
   * watched before the read: otherwise a change between the read and the start of a watch would be missed.
   */
  async #readWatched(): Promise<string | undefined> {
    for (;;) {
      const used = new Set<string>();
      const answer = await this.#read(used);
      const unwatched = [...used].filter((file) => !this.#stops.has(file));
      if (unwatched.length === 0 || this.#end.signal.aborted) return answer;
      for (const file of unwatched) await this.#watch(file);
    }
  }

  async #watch(file: string): Promise<void> {
    this.#stops.set(file, undefined);
    const stop = await this.#options.watcher.watch(file, () => this.#value.trigger());
    if (this.#end.signal.aborted) stop();
    else this.#stops.set(file, stop);
  }

  /** Reads the answer from the cache; undefined while a temporary failure prevents it. */
  async #read(used: Set<string>): Promise<string | undefined> {
    try {
      return await this.#options.read({ offline: true, onDependency: (file) => used.add(file) });
    } catch (error) {
      if (isTransient(error)) return undefined;
      if (error instanceof WeatherError) return `none: ${error.kind} ${error.message}`;
      this.#options.warn(`Failed to read a watched answer: ${messageOf(error)}`);
      return undefined;
    }
  }

  /**
   * Fetches the answer whenever it is no longer fresh. That writes a cached file, so the watch on this file
   * reads the answer, and compares it with the previous one.
   */
  async #keepFresh(): Promise<void> {
    const { clock } = this.#options;
    let failures = 0;
    let retryMs = 0;
    while (!this.#end.signal.aborted) {
      const wait =
        failures > 0 ? Math.max(retryMs, minWaitMs * 2 ** Math.min(failures - 1, 6)) : this.#dueMs();
      try {
        await clock.pause(Math.min(Math.max(wait, minWaitMs), maxWaitMs), this.#end.signal);
        await this.#refresh(true);
        failures = 0;
      } catch (error) {
        if (this.#end.signal.aborted) return;
        failures++;
        retryMs = error instanceof WeatherError ? Number(error.facts['retryAfterMs'] ?? 0) : 0;
      }
    }
  }

  async #refresh(background: boolean): Promise<void> {
    await this.#options.read({ signal: this.#end.signal, background });
  }

  #dueMs(): number {
    const { clock, freshness } = this.#options;
    const due = [...this.#stops.keys()].flatMap((file) => freshness?.freshUntil(file) ?? []);
    return due.length === 0 ? minWaitMs : Math.min(...due) - clock.now();
  }
}

function throwUnlessPassing(error: unknown): void {
  if (!isTransient(error)) throw error;
}
