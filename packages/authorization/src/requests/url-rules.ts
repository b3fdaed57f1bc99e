import { isNarrower, reachOf } from '@mcp/kit/node';
import { AuthorizationError } from '../authorization-error.ts';

/**
 * The rules for the URLs of an authorization. All these URLs except that of the MCP server come from the
 * network.
 */
export interface UrlRules {
  readonly server: URL;
  /** Origins that are exempt from the rules. */
  readonly trustedOrigins: readonly string[];
}

/**
 * Parses a URL that was received from the network. Throws unless the URL uses HTTPS (or HTTP between loopback
 * addresses). Also throws if the URL has a narrower range than the MCP server, such as a private address
 * named by a public server: otherwise a public server could direct requests into a private network. Host
 * names are not resolved; a `fetch` that resolves them can check their addresses.
 * @see https://modelcontextprotocol.io/docs/tutorials/security/security_best_practices#server-side-request-forgery-ssrf
 */
export function permittedUrl(text: string, what: string, { server, trustedOrigins }: UrlRules): URL {
  // White space and control characters are refused, because the URL parser would remove or encode them, and
  // an error that quotes the text would show them.
  const url = /[\s\p{Cc}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text);
  const shown = JSON.stringify(
    url === undefined || url.origin === 'null' ? text.slice(0, 100) : shownUrl(url),
  );
  const refuse = (reason: string): never => {
    throw new AuthorizationError('discovery', `Invalid ${what}: ${shown}; ${reason}`);
  };
  if (url === undefined) return refuse('expected an absolute URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('expected an HTTPS URL');
  if (url.username !== '' || url.password !== '') return refuse('expected a URL without credentials');
  if (trustedOrigins.includes(url.origin)) return url;
  const [reach, own] = [reachOf(url.hostname), reachOf(server.hostname)];
  if (url.protocol === 'http:' && !(reach === 'loopback' && own === 'loopback'))
    return refuse('expected an HTTPS URL');
  if (isNarrower(reach, own))
    return refuse(
      `a ${own} server cannot name a ${reach} address; to allow that, add the origin of the address to trustedOrigins`,
    );
  return url;
}

/** Whether a host name is `localhost`, a name below it, or a loopback address. */
export function isLoopback(hostname: string): boolean {
  return reachOf(hostname) === 'loopback';
}

/** A URL for an error, without the parts that may contain secrets. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
