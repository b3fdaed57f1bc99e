import { codeOf } from '@mcp/kit';
import { builtinModule } from '../../platform/builtin-module.ts';
import type { TaskStore } from './task-store.ts';

/** Milliseconds without a heartbeat after which a process counts as ended, and its tasks as failed. */
const silenceMs = 60_000;
/** The prefix of the keys of heartbeats. Task ids have no dot, so that no key of a task has this prefix. */
const prefix = 'worker.';

type Sign = { readonly host: string; readonly pid: number; readonly at: number };

/** What tells whether a process still works on its tasks. */
export interface WorkerSigns {
  readonly id: string;
  begin(): Promise<void>;
  beat(): Promise<void>;
  rest(): Promise<void>;
  isThere(id: string): Promise<boolean>;
  forgetEnded(keys: readonly string[]): Promise<void>;
}

/** One process that works on tasks; it writes a heartbeat to the store. */
export class Worker implements WorkerSigns {
  #id: string | undefined;
  readonly #store: TaskStore;
  #signed = false;
  #last: Promise<void> = Promise.resolve();

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /** Created at first use: an edge worker may not create random values before its first request. */
  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  /** Writes the first heartbeat of this process, unless it is written already. */
  begin(): Promise<void> {
    return this.#next(async () => {
      if (!this.#signed) await this.#sign();
    });
  }

  /** Writes the heartbeat again; called periodically while this process works on a task. */
  beat(): Promise<void> {
    return this.#next(() => this.#sign());
  }

  /** Deletes the heartbeat, because this process does not work on any task any more. */
  rest(): Promise<void> {
    return this.#next(async () => {
      if (!this.#signed) return;
      this.#signed = false;
      await this.#store.delete(prefix + this.id);
    });
  }

  async #sign(): Promise<void> {
    const sign: Sign = { host: hostName(), pid: globalThis.process?.pid ?? 0, at: Date.now() };
    await this.#store.set(prefix + this.id, JSON.stringify(sign));
    this.#signed = true;
  }

  // Runs `step` after all earlier steps, so that the store ends up with the newest state.
  #next(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Whether the process with this id may still work on a task. */
  async isThere(id: string): Promise<boolean> {
    const text = await this.#store.get(prefix + id);
    if (text === undefined) return false;
    const { host, pid, at } = JSON.parse(text) as Sign;
    if (Date.now() - at > silenceMs) return false;
    return host !== hostName() || isRunning(pid);
  }

  /** Deletes the heartbeats of processes that have ended, among all keys of the store. */
  async forgetEnded(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      if (!key.startsWith(prefix) || (await this.isThere(key.slice(prefix.length)))) continue;
      await this.#store.delete(key);
    }
  }
}

/** The name of this machine; empty in a runtime that does not know the name. */
function hostName(): string {
  return builtinModule('node:os')?.hostname() ?? '';
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks if the process exists. EPERM means that it does, but belongs to another user.
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
