import { type HttpReply, type HttpRequest, refuse } from '../wire/http-message.ts';
import { quote } from '../../jsonrpc/quote.ts';

/** The loopback names of this machine. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only programs of this machine can connect to an address to listen on. */
export function isLoopback(address: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(address);
}

export interface GuardOptions {
  /**
   * Host names, without ports, that requests may name in `Host`: `['mcp.example.com']`. `any` is for a server
   * that a token or a proxy protects. A list replaces the default, which is `localhost`, `127.0.0.1` and
   * `[::1]`: name these too, where clients use them.
   */
  readonly allowedHosts?: readonly string[] | 'any';
  /**
   * Origins of web pages that may send requests to this endpoint, such as `['https://example.com']`, in
   * addition to the pages on `allowedHosts`.
   */
  readonly allowedOrigins?: readonly string[];
}

/**
 * Protects this machine against web pages. Refuses a request whose `Host` is not allowed, because a page can
 * reach this machine by a host name that resolves to its address (DNS rebinding). Also refuses a request of a
 * page from another origin. Returns the refusal; undefined if the request is allowed.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security--endpoint
 */
export function guard(request: HttpRequest, options: GuardOptions): HttpReply | undefined {
  const { allowedHosts = loopbackHosts, allowedOrigins = [] } = options;
  const given = request.header('host') ?? '';
  if (given.includes(',')) return refuse(400, `Invalid Host: ${quote(given)}; expected one host`);
  const host = hostName(given);
  if (allowedHosts !== 'any' && !allowedHosts.includes(host)) {
    return refuse(403, `The host ${quote(host)} is not allowed; the server's \`allowedHosts\` must name it`);
  }
  const origin = request.header('origin');
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  const from = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
  const known = from !== undefined && allowedHosts !== 'any' && allowedHosts.includes(hostName(from));
  return known
    ? undefined
    : refuse(403, `The origin ${quote(origin)} is not allowed; the server's \`allowedOrigins\` must name it`);
}

/** The options, with the host and the origin of `url` allowed in addition. */
export function allowing(url: string, { allowedHosts = loopbackHosts, allowedOrigins = [] }: GuardOptions) {
  const { origin, hostname } = new URL(url);
  return {
    allowedHosts: allowedHosts === 'any' ? allowedHosts : [...allowedHosts, hostname],
    allowedOrigins: [...allowedOrigins, origin],
  };
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}
