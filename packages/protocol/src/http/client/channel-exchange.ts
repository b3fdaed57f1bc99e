import { type Exchange, fetchExchange, withinOrigin } from './exchange.ts';
import type { Fetch, FetchLayer } from './fetch.ts';
import { layeredExchange } from './layered-exchange.ts';
import { nodeExchange } from './node-exchange.ts';

/** The exchange of a channel: by `node:http`, or by a `fetch` that is given. */
export function exchangeOf(fetch: Fetch | undefined, authorize: FetchLayer | undefined): Exchange {
  if (fetch) return withinOrigin(fetchExchange(authorize?.(fetch) ?? fetch));
  return withinOrigin(authorize ? layeredExchange(authorize) : nodeExchange());
}
