import { hostname } from 'node:os';
import type { TaskStore } from './task-store.ts';

/** Who has said nothing for this long has ended. */
const silenceMs = 60_000;
/** No id of a task has a dot. */
const prefix = 'worker.';

type Sign = { readonly host: string; readonly pid: number; readonly at: number };

/** One process that works on tasks, which says in the store that it still does. */
export class Worker {
  readonly id = crypto.randomUUID();
  readonly #store: TaskStore;
  #signed = false;
  #last: Promise<void> = Promise.resolve();

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /** Says that this process is there, if it has not said so yet. */
  begin(): Promise<void> {
    return this.#next(async () => {
      if (!this.#signed) await this.#sign();
    });
  }

  /** Says it again, from time to time, while it works on anything. */
  goOn(): Promise<void> {
    return this.#next(() => this.#sign());
  }

  /** This process works on nothing any more. */
  rest(): Promise<void> {
    return this.#next(async () => {
      if (!this.#signed) return;
      this.#signed = false;
      await this.#store.delete(prefix + this.id);
    });
  }

  async #sign(): Promise<void> {
    const sign: Sign = { host: hostname(), pid: process.pid, at: Date.now() };
    await this.#store.set(prefix + this.id, JSON.stringify(sign));
    this.#signed = true;
  }

  // One after the other, so that what is said last holds.
  #next(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Whether the process that is called `id` may still work on something. */
  async isThere(id: string): Promise<boolean> {
    const text = await this.#store.get(prefix + id);
    if (text === undefined) return false;
    const { host, pid, at } = JSON.parse(text) as Sign;
    if (Date.now() - at > silenceMs) return false;
    return host !== hostname() || isRunning(pid);
  }

  /** Forgets the processes that have ended, among everything that the store has. */
  async forgetEnded(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      if (!key.startsWith(prefix) || (await this.isThere(key.slice(prefix.length)))) continue;
      await this.#store.delete(key);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 asks without telling the process anything.
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
