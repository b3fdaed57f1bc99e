import { unref } from '@mcp/kit';
import type { LeaseStore } from './shared-store.ts';

/**
 * Tells other processes that this one is there: its streams do not end without it. Begins with the first
 * stream, so that a process without streams asks nobody.
 */
export class ProcessLease {
  readonly #leases: LeaseStore;
  readonly #ttlMs: number;
  #id: string | undefined;
  #token: number | undefined;
  #heldAt = -Infinity;
  #renewing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(leases: LeaseStore, ttlMs: number) {
    this.#leases = leases;
    this.#ttlMs = ttlMs;
  }

  /** Made at first use: an edge worker may make no random values before its first request. */
  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  /** How often the lease is renewed, and how often others look whether it is held, in milliseconds. */
  get intervalMs(): number {
    return this.#ttlMs / 3;
  }

  /** Resolves while the lease is held; throws if it cannot be held now. */
  async hold(): Promise<void> {
    this.#timer ??= unref(setInterval(() => void this.#renew().catch(() => undefined), this.intervalMs));
    if (performance.now() - this.#heldAt > 2 * this.intervalMs) await this.#renew();
  }

  isHeld(id: string): Promise<boolean> {
    return this.#leases.isHeld(nameOf(id));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#token !== undefined)
      await this.#leases.release(nameOf(this.id), this.#token).catch(() => undefined);
  }

  /** One renewal at a time: a second one would not know the token of the first one. */
  #renew(): Promise<void> {
    return (this.#renewing ??= this.#hold().finally(() => (this.#renewing = undefined)));
  }

  async #hold(): Promise<void> {
    const at = performance.now();
    this.#token = await this.#leases.hold(nameOf(this.id), this.#ttlMs, this.#token);
    this.#heldAt = at;
  }
}

function nameOf(id: string): string {
  return `process:${id}`;
}
