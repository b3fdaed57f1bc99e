import type { Watcher } from '@mcp/watch';
import type { Clock } from '../clock.ts';
import type { Ask } from '../cache/upstream-document.ts';
import { Failure, isPassing, messageOf } from '../errors.ts';

/** What an answer means, as a text to compare; tells `ask.used` the files it is made of. */
export type Look = (ask: Ask) => Promise<string>;

export interface Refreshes {
  /** Milliseconds since 1970 until which what a file holds is fresh. */
  freshUntil(file: string): number | undefined;
}

interface LiveAnswerParts {
  readonly look: Look;
  readonly changed: () => void;
  readonly watcher: Watcher;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly refreshes?: Refreshes;
}

const leastWaitMs = 60_000;
const mostWaitMs = 3_600_000;

/** One answer that somebody follows: looked at again when a file moves, and kept fresh while it is followed. */
export class LiveAnswer {
  readonly #parts: LiveAnswerParts;
  readonly #stops = new Map<string, (() => void) | undefined>();
  readonly #end = new AbortController();
  #last: string | undefined;
  #checking: Promise<void> | undefined;
  #again = false;

  constructor(parts: LiveAnswerParts) {
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    // Whoever follows an answer wants one to begin with; an upstream that is gone for now may come back.
    if (this.#parts.refreshes) await this.#refresh(false).catch(throwUnlessPassing);
    this.#last = await this.#see();
    if (this.#parts.refreshes) void this.#keepFresh();
  }

  stop(): void {
    this.#end.abort();
    for (const stop of this.#stops.values()) stop?.();
    this.#stops.clear();
  }

  /** Looks until all that the answer is made of is watched. */
  async #see(): Promise<string | undefined> {
    for (;;) {
      const used = new Set<string>();
      const seen = await this.#look(used);
      const fresh = [...used].filter((file) => !this.#stops.has(file));
      if (fresh.length === 0 || this.#end.signal.aborted) return seen;
      for (const file of fresh) await this.#follow(file);
    }
  }

  async #follow(file: string): Promise<void> {
    this.#stops.set(file, undefined);
    const stop = await this.#parts.watcher.watch(file, () => this.#check());
    if (this.#end.signal.aborted) stop();
    else this.#stops.set(file, stop as () => void);
  }

  /** What is there now; what it was before, while it cannot be read. */
  async #look(used: Set<string>): Promise<string | undefined> {
    try {
      return await this.#parts.look({ offline: true, used: (file) => used.add(file) });
    } catch (error) {
      if (isPassing(error)) return this.#last;
      if (error instanceof Failure) return `none: ${error.kind} ${error.message}`;
      this.#parts.warn(`Failed to look at an answer: ${messageOf(error)}`);
      return this.#last;
    }
  }

  #check(): Promise<void> {
    this.#again = true;
    this.#checking ??= this.#compare().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #compare(): Promise<void> {
    while (this.#again && !this.#end.signal.aborted) {
      this.#again = false;
      const seen = await this.#see();
      if (seen === undefined || seen === this.#last || this.#end.signal.aborted) continue;
      const first = this.#last === undefined;
      this.#last = seen;
      if (!first || this.#parts.refreshes) this.#parts.changed();
    }
  }

  /** Asks upstream whenever what is known is no longer fresh; news of that comes from the file that is written. */
  async #keepFresh(): Promise<void> {
    let failures = 0;
    let retryMs = 0;
    while (!this.#end.signal.aborted) {
      const wait =
        failures > 0 ? Math.max(retryMs, leastWaitMs * 2 ** Math.min(failures - 1, 6)) : this.#dueMs();
      try {
        await this.#parts.clock.pause(Math.min(Math.max(wait, leastWaitMs), mostWaitMs), this.#end.signal);
        await this.#refresh(true);
        failures = 0;
      } catch (error) {
        if (this.#end.signal.aborted) return;
        failures++;
        retryMs = error instanceof Failure ? Number(error.facts['retryAfterMs'] ?? 0) : 0;
      }
    }
  }

  async #refresh(background: boolean): Promise<void> {
    await this.#parts.look({ signal: this.#end.signal, background });
  }

  #dueMs(): number {
    const { clock, refreshes } = this.#parts;
    const due = [...this.#stops.keys()].flatMap((file) => refreshes?.freshUntil(file) ?? []);
    return due.length === 0 ? leastWaitMs : Math.min(...due) - clock.now();
  }
}

function throwUnlessPassing(error: unknown): void {
  if (!isPassing(error)) throw error;
}
