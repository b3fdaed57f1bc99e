import type { EndSignal } from '@mcp/kit';
import { platformSignal } from './cancellation.ts';
import type { LayeredFetch, LayerHelp } from './fetch.ts';
import { Unreachable } from './http-error.ts';

export interface ExchangeRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly signal: EndSignal;
  /** Whether to send the request again if the server may not have received it. Default: false. */
  readonly repeatable?: boolean;
  /** Suspends the timeout of the request while `until` is pending, for example during a login. */
  readonly held?: (until: Promise<unknown>) => void;
}

export interface ExchangeResponse {
  readonly status: number;
  /** The values of headers that a {@link FetchLayer} has added: credentials, which no error may contain. */
  readonly added?: readonly string[];
  header(name: string): string | undefined;
  /** Calls `take` with the bytes of the body until its end. Rejects if `take` throws. */
  read(take: (chunk: Uint8Array) => void): Promise<void>;
  /** Discards the body, which the caller does not need. */
  discard(): void;
}

/** Makes one HTTP request, without following redirects. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeResponse>;

/**
 * Makes requests by `fetch`, which may be a layer with a login around another `fetch`. `refused` is given if
 * the request was sent before, by `node:http`, with the headers that the layer had added, and the server
 * answered 401 or 403: from this answer, the layer begins its login.
 */
export function fetchExchange(
  fetch: LayeredFetch,
): (request: ExchangeRequest, refused?: LayerHelp['refused']) => Promise<ExchangeResponse> {
  return async ({ url, held, ...request }, refused) => {
    const init = { ...request, signal: platformSignal(request.signal) };
    const make = () => new Request(url, { ...init, redirect: 'manual' });
    const added: string[] = [];
    const help: LayerHelp = {
      again: make,
      added: (value) => added.push(value),
      held: (until) => held?.(until),
      ...(refused && { refused }),
    };
    const response = await fetch(make(), help).catch((error: unknown) => {
      const known = init.signal.aborted || (error instanceof Error && 'phase' in error);
      throw known ? error : new Unreachable(error);
    });
    return {
      status: response.status,
      added,
      header: (name) => response.headers.get(name) ?? undefined,
      read: (take) => readAll(response.body, take),
      discard: () => void response.body?.cancel().catch(() => {}),
    };
  };
}

async function readAll(body: Response['body'], take: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of body ?? []) take(chunk);
}

const maxRedirects = 5;

/**
 * Follows redirects within the origin. A redirect to another origin is an error, because the headers and
 * their credentials would be sent there. A POST follows only the statuses 307 and 308, which keep the method.
 */
export function withinOrigin(exchange: Exchange): Exchange {
  return (request) =>
    exchange(request).then((response) =>
      response.status < 300 ? response : followed(exchange, request, response),
    );
}

async function followed(
  exchange: Exchange,
  request: ExchangeRequest,
  first: ExchangeResponse,
): Promise<ExchangeResponse> {
  let { url } = request;
  let response = first;
  for (let redirects = 0; ; redirects++) {
    const location = response.header('location');
    const keeps = [307, 308].includes(response.status);
    const moved = keeps || (request.method === 'GET' && [301, 302, 303].includes(response.status));
    if (!moved || location === undefined) return response;
    response.discard();
    const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (target?.origin !== new URL(url).origin) {
      throw new Error(
        `Redirected to another origin: ${target?.origin ?? 'an invalid URL'}; connect to that URL instead`,
      );
    }
    if (redirects === maxRedirects) throw new Error(`Redirected more than ${maxRedirects} times`);
    url = target.href;
    response = await exchange({ ...request, url });
  }
}
