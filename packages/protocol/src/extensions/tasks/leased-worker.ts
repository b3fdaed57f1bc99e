import type { LeaseStore } from '../../state/shared-store.ts';
import type { WorkerSigns } from './worker.ts';

/** One of several processes that work on tasks; it holds a lease while it does. */
export class LeasedWorker implements WorkerSigns {
  readonly #leases: LeaseStore;
  readonly #leaseMs: number;
  #id: string | undefined;
  #token: number | undefined;
  /** When each lease was first found missing. */
  readonly #missing = new Map<string, number>();

  constructor(leases: LeaseStore, leaseMs: number) {
    this.#leases = leases;
    this.#leaseMs = leaseMs;
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  async begin(): Promise<void> {
    if (this.#token === undefined) await this.beat();
  }

  async beat(): Promise<void> {
    this.#token = await this.#leases.hold(nameOf(this.id), this.#leaseMs, this.#token);
  }

  async rest(): Promise<void> {
    if (this.#token === undefined) return;
    await this.#leases.release(nameOf(this.id), this.#token);
    this.#token = undefined;
  }

  /**
   * Whether the process with this id may still work on a task. A lease must be missing for a while: after a
   * failure of the store, each process needs a moment to renew its own.
   */
  async isThere(id: string): Promise<boolean> {
    if (id === this.id || (await this.#leases.isHeld(nameOf(id)))) {
      this.#missing.delete(id);
      return true;
    }
    const since = this.#missing.get(id) ?? performance.now();
    this.#missing.set(id, since);
    return performance.now() - since < this.#leaseMs / 2;
  }

  /** A lease ends by itself. */
  async forgetEnded(): Promise<void> {}
}

function nameOf(id: string): string {
  return `worker:${id}`;
}
