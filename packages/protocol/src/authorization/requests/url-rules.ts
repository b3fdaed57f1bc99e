import { BlockList, isIP } from 'node:net';
import { AuthorizationError, type AuthorizationStep } from '../authorization-error.ts';

/** Which URLs an authorization may use. All but the server's own come from the network. */
export interface UrlRules {
  /** The MCP server that the authorization is for. */
  readonly server: URL;
  /** Origins that the rules do not apply to. */
  readonly trustedOrigins: readonly string[];
}

/** How far an address reaches. A server may name URLs of its own reach or a wider one. */
const reaches = ['public', 'private', 'loopback'] as const;
type Reach = (typeof reaches)[number];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

// The special-purpose registries of RFC 6890, as far as they are not globally reachable.
const unreachable = new BlockList();
/** IPv6 addresses that contain an IPv4 address, which a gateway or the system reaches. */
const translating = new BlockList();
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
] as const) {
  translating.addSubnet(network, prefix, 'ipv6');
}
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  unreachable.addSubnet(network, prefix);
}
for (const [network, prefix] of [
  ['::', 128],
  ['64:ff9b:1::', 48],
  ['fec0::', 10],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  unreachable.addSubnet(network, prefix, 'ipv6');
}

/**
 * Parses a URL that the network named. Throws unless it is HTTPS (HTTP between loopback addresses) and
 * reaches at least as far as the server itself, so that a public server cannot direct requests into a private
 * network. Names are not resolved: a `fetch` that resolves them can check their addresses.
 * @see https://modelcontextprotocol.io/docs/tutorials/security/security_best_practices#server-side-request-forgery-ssrf
 */
export function permittedUrl(
  text: string,
  what: string,
  { server, trustedOrigins }: UrlRules,
  step: AuthorizationStep = 'discovery',
): URL {
  // The parser would drop or encode these, and an error that quotes the URL would not.
  const url = /[\s\p{Cc}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text);
  const shown = JSON.stringify(
    url === undefined || url.origin === 'null' ? text.slice(0, 100) : shownUrl(url),
  );
  const refuse = (reason: string): never => {
    throw new AuthorizationError(step, `Invalid ${what}: ${shown}; ${reason}`);
  };
  if (url === undefined) return refuse('expected an absolute URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('expected an HTTPS URL');
  if (url.username !== '' || url.password !== '') return refuse('expected a URL without credentials');
  if (trustedOrigins.includes(url.origin)) return url;
  const [reach, own] = [reachOf(url.hostname), reachOf(server.hostname)];
  if (url.protocol === 'http:' && !(reach === 'loopback' && own === 'loopback'))
    return refuse('expected an HTTPS URL');
  if (reaches.indexOf(reach) > reaches.indexOf(own))
    return refuse(
      `a ${own} server cannot name a ${reach} address; add its origin to trustedOrigins to allow it`,
    );
  return url;
}

/** Whether a host name is one of this machine alone. */
export function isLoopback(hostname: string): boolean {
  return reachOf(hostname) === 'loopback';
}

/** A URL as errors show it: without the parts that may hold secrets. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function reachOf(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  const version = isIP(host);
  if (version === 0) return 'public';
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(host, family)) return 'loopback';
  const isReachable = !unreachable.check(host, family) && !translating.check(host, family);
  return isReachable ? 'public' : 'private';
}
