import { BlockList, isIP } from 'node:net';
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
 * From where an address can be reached, the widest range first: from everywhere, from a private network, or
 * only from this machine. A server may name only URLs with a range at least as wide as its own: a server with
 * a public address may name only public URLs.
 */
const reaches = ['public', 'private', 'loopback'] as const;
type Reach = (typeof reaches)[number];

const loopback = '127.0.0.0/8 ::1/128';
// Addresses of the special-purpose registries of RFC 6890 that are not globally reachable.
const unreachable =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 ' +
  '224.0.0.0/3 ::/128 64:ff9b:1::/48 fec0::/10 fc00::/7 fe80::/10 ff00::/8';
/**
 * IPv6 addresses that a gateway or the operating system translates to the IPv4 address in them. They count as
 * private, because this IPv4 address may be private.
 */
const translating = '::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 2002::/16';

const lists = new Map<string, BlockList>();

/**
 * A list of subnets, made at its first use: to construct the first `BlockList` of a process takes
 * milliseconds, which would delay the start of every program that imports this file.
 */
function listOf(subnets: string): BlockList {
  const known = lists.get(subnets);
  if (known) return known;
  const list = new BlockList();
  for (const subnet of subnets.split(' ')) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  lists.set(subnets, list);
  return list;
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
  if (reaches.indexOf(reach) > reaches.indexOf(own))
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

function reachOf(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  const version = isIP(host);
  if (version === 0) return 'public';
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (listOf(loopback).check(host, family)) return 'loopback';
  const isReachable = [unreachable, translating].every((each) => !listOf(each).check(host, family));
  return isReachable ? 'public' : 'private';
}
