import { fetchErrorText, fetchJson, isRedirect, type JsonReply } from '@mcp/kit';
import type { Fetch } from '@mcp/protocol/client';
import { VerifierUnavailable } from '@mcp/protocol/web';

const timeoutMs = 5_000;
const maxBytes = 256 * 1024;

/** The time that one verification may wait for the authorization server, over all its requests. */
export const requestDeadline = () => AbortSignal.timeout(timeoutMs);

/** Calls `fetch` as a method of `globalThis`: in some runtimes it throws as a method of another object. */
export const globalFetch: Fetch = (request) => globalThis.fetch(request);

/** Makes a request to the authorization server. Throws a `VerifierUnavailable` if there is no answer. */
export async function requestJson(
  fetch: Fetch,
  url: URL,
  { signal, ...init }: RequestInit & { readonly signal: AbortSignal },
): Promise<JsonReply> {
  const headers = { accept: 'application/json', ...(init.headers as { [name: string]: string }) };
  const shown = `${url.origin}${url.pathname}`;
  try {
    return await fetchJson(fetch, url, { ...init, headers }, { signal, maxBytes });
  } catch (cause) {
    throw new VerifierUnavailable(`Cannot reach "${shown}": ${fetchErrorText(cause)}`, { cause });
  }
}

/** The beginning of an error about an unexpected answer, such as `"https://…" answers with HTTP 404`. */
export function shownAnswer(url: URL, response: Response): string {
  const how = isRedirect(response) ? 'a redirect, which is not followed,' : `HTTP ${response.status}`;
  return `"${url.origin}${url.pathname}" answers with ${how}`;
}
