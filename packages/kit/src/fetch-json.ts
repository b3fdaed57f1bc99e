import { abortable } from './deadline.ts';
import { messageOf } from './error-text.ts';
import { isObject } from './is-object.ts';
import { type ExchangeBounds, readText } from './read-text.ts';

/** Makes one HTTP request. */
type Fetch = (request: Request) => Promise<Response>;

/** A response whose body has been read. */
export interface JsonReply {
  readonly response: Response;
  /** The body; undefined if it is not a JSON object. */
  readonly json: { readonly [name: string]: unknown } | undefined;
}

/** Makes a request that follows no redirect. Rejects if there is no response or its body is too long. */
export async function fetchJson(
  fetch: Fetch,
  url: URL,
  init: RequestInit,
  { signal, maxBytes }: ExchangeBounds,
): Promise<JsonReply> {
  const request = new Request(url, { ...init, redirect: 'manual', signal });
  // The signal is also observed here, because Node does not abort a request whose `Request` object was
  // garbage collected.
  const response = await abortable(fetch(request), signal);
  return { response, json: parseObject(await readText(response, { signal, maxBytes })) };
}

/** Whether the response to a request that follows no redirects is a redirect. */
export function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

/** Describes why an exchange failed. An error of `fetch` has the real reason in its `cause`. */
export function fetchErrorText(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer';
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause instanceof Error && cause.message !== '' ? cause : error);
}

function parseObject(text: string): JsonReply['json'] {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
