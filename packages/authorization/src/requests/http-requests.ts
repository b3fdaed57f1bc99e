import { fetchErrorText, fetchJson, isRedirect } from '@mcp/kit';
import type { Fetch } from '@mcp/protocol/client';
import { AuthorizationError, type AuthorizationStep } from '../authorization-error.ts';
import type { JsonObject } from './json-fields.ts';
import { permittedUrl, shownUrl, type UrlRules } from './url-rules.ts';

/** How the requests of one authorization are sent: those for discovery, registration and tokens. */
export interface Requests {
  readonly fetch: Fetch;
  readonly rules: UrlRules;
  /** Cancels the whole authorization. */
  readonly signal: AbortSignal;
  /**
   * Aborts when the last open request to the MCP server is aborted. This ends only a user's login: a refresh
   * of the token continues.
   */
  readonly abandoned?: AbortSignal;
}

export interface JsonReply {
  /** The response; its body has been read. */
  readonly response: Response;
  /** The body; undefined if it is not a JSON object. */
  readonly json: JsonObject | undefined;
}

type Headers = { readonly [name: string]: string };

const requestTimeoutMs = 30_000;
const maxBodyBytes = 256 * 1024;
const maxRedirects = 3;
/**
 * Statuses of a temporary failure: the same URL may return a document later. 500 is not one of them, because
 * some servers answer 500 for every unknown path.
 */
const unavailable = new Set([429, 502, 503, 504]);

/**
 * Sends GET and returns the JSON object in the response. Follows at most three redirects, only to permitted
 * URLs. Returns undefined if the status is not 2xx, or if the body is not a JSON object. Throws if the server
 * is temporarily unavailable, because a later attempt may return an object.
 */
export async function getJson(
  requests: Requests,
  url: URL,
  headers: Headers = {},
): Promise<JsonObject | undefined> {
  const fail = (reason: string, transient = false): never => {
    throw new AuthorizationError('discovery', reason, { transient });
  };
  let current = url;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const { response, json } = await send(requests, 'discovery', current, {
      headers: { accept: 'application/json', ...headers },
    });
    const { status, ok } = response;
    if (unavailable.has(status)) fail(`"${shownUrl(current)}" answers with HTTP ${status}`, true);
    const location = response.headers.get('location');
    if (!isRedirect(response) || location === null) return ok ? json : undefined;
    const target = URL.canParse(location, current.href) ? new URL(location, current).href : location;
    current = permittedUrl(target, `redirect of "${shownUrl(url)}"`, requests.rules);
  }
  return fail(`"${shownUrl(url)}" redirects more than ${maxRedirects} times`);
}

/** Sends a POST and returns any reply. Follows no redirect, because the body contains secrets. */
export async function post(
  requests: Requests,
  step: AuthorizationStep,
  url: URL,
  { headers, body }: { readonly headers: Headers; readonly body: string },
): Promise<JsonReply> {
  const accepted = { accept: 'application/json', ...headers };
  const reply = await send(requests, step, url, { method: 'POST', headers: accepted, body });
  if (!isRedirect(reply.response)) return reply;
  const reason = `"${shownUrl(url)}" redirects; a request with secrets follows no redirect, so the metadata must name the final URL`;
  throw new AuthorizationError(step, reason);
}

async function send(
  { fetch, signal }: Requests,
  step: AuthorizationStep,
  url: URL,
  init: RequestInit,
): Promise<JsonReply> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
  try {
    return await fetchJson(fetch, url, init, { signal: limit, maxBytes: maxBodyBytes });
  } catch (cause) {
    signal.throwIfAborted();
    const message = `Cannot reach "${shownUrl(url)}": ${fetchErrorText(cause)}`;
    throw new AuthorizationError(step, message, { cause, transient: true });
  }
}
