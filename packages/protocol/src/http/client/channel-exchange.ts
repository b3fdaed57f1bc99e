import { type Exchange, fetchExchange, withinOrigin } from './exchange.ts';
import type { Fetch, FetchLayer } from './fetch.ts';
import { nodeExchange } from './node-exchange.ts';

/** The exchange of a channel: by `node:http`, or by a `fetch` that is given or wrapped. */
export function exchangeOf(fetch: Fetch | undefined, authorize: FetchLayer | undefined): Exchange {
  if (!fetch && !authorize) return withinOrigin(nodeExchange());
  return withinOrigin(fetchExchange(fetch ?? globalThis.fetch, authorize));
}
