import { messageOf } from '@mcp/kit';
import { VerifierUnavailable } from '@mcp/protocol/web';

/** The age at which keys are fetched again. */
const maxAgeMs = 600_000;
/** For how long after `maxAgeMs` keys are still used while newer ones cannot be fetched. */
const maxStaleMs = 3_600_000;
/** The time between two attempts, so that forged tokens and outages cause few requests. */
const cooldownMs = 10_000;

/** Keys, and when the request for them began and ended, by `performance.now()`. */
export interface Fetched<Keys> {
  readonly keys: Keys;
  readonly askedAt: number;
  readonly loadedAt: number;
}

/** The current keys of an issuer: fetched when they are needed, cached, and fetched again. */
export class KeySet<Keys> {
  readonly #load: () => Promise<Keys>;
  #fetched: Fetched<Keys> | undefined;
  #triedAt = -Infinity;
  /** Why the last attempt failed. */
  #failure: string | undefined;
  #loading: Promise<void> | undefined;

  constructor(load: () => Promise<Keys>) {
    this.#load = load;
  }

  /**
   * The keys. Old ones are returned at once, and fetched again in the background. Throws a
   * `VerifierUnavailable` if there are none that may be used.
   */
  async current(): Promise<Fetched<Keys>> {
    const refreshed = this.#age() < maxAgeMs ? undefined : this.#refresh();
    if (this.#age() >= maxAgeMs + maxStaleMs) await refreshed;
    if (this.#fetched && this.#age() < maxAgeMs + maxStaleMs) return this.#fetched;
    throw this.#unavailable('The keys of the issuer were fetched too long ago');
  }

  /**
   * Newer keys than `known`, which lack the key of a token. Throws a `VerifierUnavailable` if none can be
   * fetched now: the issuer may have the key.
   */
  async newerThan(known: Fetched<Keys>): Promise<Fetched<Keys>> {
    if (this.#fetched === known) await this.#refresh();
    if (this.#fetched && this.#fetched !== known) return this.#fetched;
    const interval = `they are fetched at most every ${cooldownMs / 1000} seconds`;
    throw this.#unavailable(`The known keys of the issuer have no key for the token; ${interval}`);
  }

  #age(): number {
    return performance.now() - (this.#fetched?.loadedAt ?? -Infinity);
  }

  /**
   * Fetches the keys, unless they were fetched a moment ago. Calls at the same time share one attempt. Never
   * rejects.
   */
  async #refresh(): Promise<void> {
    if (!this.#loading && performance.now() - this.#triedAt < cooldownMs) return;
    await (this.#loading ??= this.#attempt().finally(() => (this.#loading = undefined)));
  }

  async #attempt(): Promise<void> {
    const askedAt = performance.now();
    try {
      const keys = await this.#load();
      this.#fetched = { keys, askedAt, loadedAt: performance.now() };
      this.#failure = undefined;
    } catch (error) {
      this.#failure = messageOf(error);
    }
    this.#triedAt = performance.now();
  }

  #unavailable(reason: string): VerifierUnavailable {
    const retryAfterSeconds = (this.#triedAt + cooldownMs - performance.now()) / 1000;
    return new VerifierUnavailable(this.#failure ?? reason, { retryAfterSeconds });
  }
}
