import { type Exchange, fetchExchange, withinOrigin } from './exchange.ts';
import type { Fetch, FetchLayer } from './fetch.ts';
import { layeredExchange } from './layered-exchange.ts';
import { nodeExchange } from './node-exchange.ts';

/** Returns the exchange of a channel: by `node:http`, or by the given `fetch`. */
export function exchangeOf(fetch: Fetch | undefined, authorize: FetchLayer | undefined): Exchange {
  if (fetch) return withinOrigin(fetchExchange(authorize?.(fetch) ?? fetch));
  return withinOrigin(authorize ? layeredExchange(authorize) : nodeExchange());
}
