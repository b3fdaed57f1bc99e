import {
  type Exchange,
  type ExchangeRequest,
  type ExchangeResponse,
  fetchExchange,
  withinOrigin,
} from './exchange.ts';
import { socketAddressOf } from '../wire/socket-url.ts';
import type { AddedHeaders, Fetch, FetchLayer } from './fetch.ts';
import { nodeExchange } from './node-exchange.ts';
import { readText } from './read-body.ts';

/** The URL that the requests of a channel name, and the function that makes them. */
export interface Endpoint {
  readonly url: string;
  readonly exchange: Exchange;
}

/**
 * Returns how a channel reaches the server at `url`: through `fetch` if it is given, otherwise by
 * `node:http`. The layer `authorize`, if it is given, is put around the requests. A server at a socket is
 * reached by `node:http` alone: the permissions of the socket protect it.
 */
export function endpointAt(
  url: string,
  { fetch, authorize }: { readonly fetch?: Fetch | undefined; readonly authorize?: FetchLayer | undefined },
): Endpoint {
  const socket = socketAddressOf(url);
  if (!socket) return { url, exchange: exchangeOf(fetch, authorize) };
  if (fetch || authorize)
    throw new Error(
      `Invalid options for ${JSON.stringify(url)}: a socket takes no \`fetch\` and no \`authorize\``,
    );
  return { url: `http://localhost${socket.path}`, exchange: withinOrigin(nodeExchange(socket.socketPath)) };
}

function exchangeOf(fetch: Fetch | undefined, authorize: FetchLayer | undefined): Exchange {
  if (fetch) return withinOrigin(fetchExchange(authorize?.(fetch) ?? fetch));
  return withinOrigin(authorize ? layeredExchange(authorize) : nodeExchange());
}

/**
 * Makes requests by `node:http`, with the headers that `headersFor` of the layer returns. If `headersFor`
 * returns undefined, or if the server answers 401 or 403, lets the layer make the request.
 */
function layeredExchange(layer: FetchLayer): Exchange {
  const direct = nodeExchange();
  // An arrow function, because merely reading `globalThis.fetch` makes Node load its implementation.
  const fetch = layer((request) => globalThis.fetch(request));
  const throughLayer = fetchExchange(fetch);

  const send = async (request: ExchangeRequest, added: AddedHeaders): Promise<ExchangeResponse> => {
    const response = await direct({ ...request, headers: { ...request.headers, ...added } });
    if (response.status < 400) return response;
    if (response.status !== 401 && response.status !== 403) return withAdded(response, Object.values(added));
    return throughLayer(request, { added, response: await refusal(response) });
  };
  return (request) => {
    const added = fetch.headersFor?.(request.url);
    if (!(added instanceof Promise)) return added ? send(request, added) : throughLayer(request);
    return added.then((later) => (later ? send(request, later) : throughLayer(request)));
  };
}

function withAdded(response: ExchangeResponse, added: readonly string[]): ExchangeResponse {
  return {
    status: response.status,
    added,
    header: (name) => response.header(name),
    read: (take) => response.read(take),
    discard: () => response.discard(),
  };
}

const maxRefusalBytes = 256 * 1024;
const refusalHeaders = ['www-authenticate', 'content-type'];

/** Converts a response of 401 or 403 into a `Response`, which a {@link FetchLayer} needs. */
async function refusal(response: ExchangeResponse): Promise<Response> {
  const body = await readText(response, maxRefusalBytes).catch(() => '');
  const headers = new Headers();
  for (const name of refusalHeaders) {
    const value = response.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Response(body, { status: response.status, headers });
}
