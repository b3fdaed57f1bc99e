import { quoted } from '@mcp/kit';

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Parses the URL of an authorization server. Throws unless it uses HTTPS or, between programs of one machine,
 * HTTP: what comes from there decides who is admitted.
 */
export function secureUrl(text: string, what: string, { mayBeHttp = true } = {}): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username !== '' || url.password !== '')
    throw new Error(`Invalid ${what}: ${quoted(text, 100)}; expected a URL without credentials`);
  const secure =
    url.protocol === 'https:' || (url.protocol === 'http:' && mayBeHttp && loopback.test(url.hostname));
  if (!secure) throw new Error(`Invalid ${what}: ${quoted(text, 100)}; expected an HTTPS URL`);
  return url;
}
