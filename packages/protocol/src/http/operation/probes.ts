import type { SharedStore } from '../../state/shared-store.ts';
import { emptyReply, type HttpReply, type HttpRequest } from '../wire/http-message.ts';

/** The store is asked at most this often, in milliseconds: anyone may send probes. */
const askEveryMs = 1_000;

/**
 * Answers the probes of orchestrators and load balancers, with a status and no information: `/healthz` while
 * the process answers, and `/readyz` while it takes work, which needs the store that it shares.
 */
export class Probes {
  isDraining = false;
  readonly #shared: SharedStore | undefined;
  #askedAt = -Infinity;
  #isReachable: Promise<boolean> | undefined;

  constructor(shared: SharedStore | undefined) {
    this.#shared = shared;
  }

  /** The answer to a probe; undefined for a request to another path. */
  answer({ path, method }: HttpRequest): HttpReply | Promise<HttpReply> | undefined {
    if (path !== '/healthz' && path !== '/readyz') return undefined;
    if (method !== 'GET' && method !== 'HEAD') return emptyReply(405, { allow: 'GET, HEAD' });
    if (path === '/healthz') return reply(true);
    return this.#isReady().then(reply);
  }

  async #isReady(): Promise<boolean> {
    if (this.isDraining || !this.#shared) return !this.isDraining;
    if (!this.#isReachable || performance.now() - this.#askedAt > askEveryMs) {
      this.#askedAt = performance.now();
      this.#isReachable = this.#shared.leases.isHeld('ready').then(
        () => true,
        () => false,
      );
    }
    return this.#isReachable;
  }
}

/** The platform sends the body only after GET, and its length also after HEAD. */
function reply(isOk: boolean): HttpReply {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status: isOk ? 200 : 503, headers, body: isOk ? 'ok\n' : 'not ready\n' };
}
