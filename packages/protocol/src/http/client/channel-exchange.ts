import { type Exchange, fetchExchange, withinOrigin } from './exchange.ts';
import type { Fetch, FetchLayer } from './fetch.ts';
import { layeredExchange } from './layered-exchange.ts';
import { nodeExchange } from './node-exchange.ts';

/**
 * Returns the function with which a channel makes its HTTP requests: by `fetch` if it is given, otherwise by
 * `node:http`.
 */
export function exchangeOf(fetch: Fetch | undefined, authorize: FetchLayer | undefined): Exchange {
  if (fetch) return withinOrigin(fetchExchange(authorize?.(fetch) ?? fetch));
  return withinOrigin(authorize ? layeredExchange(authorize) : nodeExchange());
}
