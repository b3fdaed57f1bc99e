import { Buffer } from 'node:buffer';
import { isObject, messageOf } from '@mcp/kit';
import type { Fetch } from '@mcp/protocol/client';
import { AuthorizationError, type AuthorizationStep } from '../authorization-error.ts';
import type { JsonObject } from './json-fields.ts';
import { permittedUrl, shownUrl, type UrlRules } from './url-rules.ts';

/** How an authorization makes its requests. */
export interface Requests {
  readonly fetch: Fetch;
  readonly rules: UrlRules;
  /** Cancels the whole authorization. */
  readonly signal: AbortSignal;
  /** Cancels only the wait for the user, because no request needs the login any more. */
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
/** Statuses that do not tell if the URL has a document. Some servers send 500 for unknown paths. */
const unavailable = new Set([429, 502, 503, 504]);

/**
 * GETs a JSON object through at most three redirects to permitted URLs. Returns undefined if the status is no
 * success or the body no object. Throws if the server is unavailable: the URL may have an object later.
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
    const response = await fetch(new Request(url, { ...init, redirect: 'manual', signal: limit }));
    return { response, json: parseObject(await readText(response)) };
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error && cause.name === 'TimeoutError' ? 'no answer' : reasonOf(cause);
    const message = `Cannot reach "${shownUrl(url)}": ${reason}`;
    throw new AuthorizationError(step, message, { cause, transient: true });
  }
}

/** Reads a whole body as text. Throws if it is too long. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // Throwing leaves the loop, which cancels the body.
    if (length > maxBodyBytes) throw new Error(`the body is longer than ${maxBodyBytes} bytes`);
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

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

/** Describes an error. An error of `fetch` has the real reason in its `cause`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause instanceof Error && cause.message !== '' ? cause : error);
}
