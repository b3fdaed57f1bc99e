import { Buffer } from 'node:buffer';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import { AuthorizationError, type AuthorizationStep } from '../authorization-error.ts';
import type { Fetch } from '../../http/client/fetch.ts';
import { permittedUrl, shownUrl, type UrlRules } from './url-rules.ts';

/** How the requests of an authorization are made. */
export interface Requests {
  readonly fetch: Fetch;
  readonly rules: UrlRules;
  /** Ends the whole authorization. */
  readonly signal: AbortSignal;
  /** Ends the wait for a user: nothing needs the login any more. */
  readonly abandoned?: AbortSignal;
}

export interface JsonReply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is not a JSON object. */
  readonly json: JsonObject | undefined;
}

const requestTimeoutMs = 30_000;
const maxBodyBytes = 256 * 1024;
const maxRedirects = 3;
/** Statuses that say nothing about a URL. 500 is excluded: some servers return it for every unknown path. */
const unavailable = new Set([429, 502, 503, 504]);

/**
 * GETs a JSON object, through at most three redirects, each of them a permitted URL.
 * Returns undefined when the URL has none: any status but success, or a body that is not a JSON object.
 * Throws where the server is unavailable, as the URL may have one.
 */
export async function getJson(
  requests: Requests,
  url: URL,
  headers: { readonly [name: string]: string } = {},
): Promise<JsonObject | undefined> {
  let current = url;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const reply = await send(requests, 'discovery', current, {
      headers: { accept: 'application/json', ...headers },
    });
    if (unavailable.has(reply.status))
      throw new AuthorizationError('discovery', `"${shownUrl(current)}" answers with HTTP ${reply.status}`, {
        transient: true,
      });
    const location = reply.headers.get('location');
    if (!isRedirect(reply.status) || location === null)
      return reply.status >= 200 && reply.status < 300 ? reply.json : undefined;
    const target = URL.canParse(location, current.href) ? new URL(location, current).href : location;
    current = permittedUrl(target, `redirect of "${shownUrl(url)}"`, requests.rules);
  }
  throw new AuthorizationError('discovery', `"${shownUrl(url)}" redirects more than ${maxRedirects} times`);
}

/** POSTs and returns the reply of any status. Follows no redirect: the body holds secrets. */
export async function post(
  requests: Requests,
  step: AuthorizationStep,
  url: URL,
  init: { readonly headers: { readonly [name: string]: string }; readonly body: string },
): Promise<JsonReply> {
  const headers = { accept: 'application/json', ...init.headers };
  const reply = await send(requests, step, url, { method: 'POST', headers, body: init.body });
  if (isRedirect(reply.status))
    throw new AuthorizationError(
      step,
      `"${shownUrl(url)}" redirects; a request with secrets is not repeated`,
    );
  return reply;
}

async function send(
  { fetch, signal }: Requests,
  step: AuthorizationStep,
  url: URL,
  init: RequestInit,
): Promise<JsonReply> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
  try {
    const response = await fetch(new Request(url, { ...init, redirect: 'manual', signal: limit }));
    return {
      status: response.type === 'opaqueredirect' ? 302 : response.status,
      headers: response.headers,
      json: parseObject(await readText(response, maxBodyBytes)),
    };
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error && cause.name === 'TimeoutError' ? 'no answer' : reasonOf(cause);
    throw new AuthorizationError(step, `Cannot reach "${shownUrl(url)}": ${reason}`, {
      cause,
      transient: true,
    });
  }
}

/** Reads a body whole. Throws when it is longer than `maxBytes`. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (length > maxBytes) throw new Error(`the body is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
