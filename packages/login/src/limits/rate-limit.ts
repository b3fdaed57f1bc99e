import { isLocalAddress, networkOf, type Rate, TokenBuckets } from '@mcp/kit';

/** Limits how often something may happen: in all, and for the network of each client. */
export class RateLimit {
  readonly #all: TokenBuckets;
  readonly #networks: TokenBuckets;

  constructor({ all, network }: { readonly all: Rate; readonly network: Rate }) {
    this.#all = new TokenBuckets(all);
    this.#networks = new TokenBuckets(network);
  }

  /** Takes one for a client, and returns 0; otherwise, the seconds after which to try again. */
  take(address: string | undefined): number {
    const network = keyOf(address);
    const wait = network === undefined ? 0 : this.#networks.take(network);
    if (wait > 0) return Math.ceil(wait / 1_000);
    const waitForAll = this.#all.take('');
    if (waitForAll > 0 && network !== undefined) this.#networks.giveBack(network);
    return Math.ceil(waitForAll / 1_000);
  }

  giveBack(address: string | undefined): void {
    const network = keyOf(address);
    if (network !== undefined) this.#networks.giveBack(network);
    this.#all.giveBack('');
  }
}

/**
 * Behind a proxy or a tunnel, all clients have a loopback address. Then only the limit for all counts,
 * because one client would use up the limit of that address for all others.
 */
function keyOf(address: string | undefined): string | undefined {
  return address === undefined || isLocalAddress(address) ? undefined : networkOf(address);
}
