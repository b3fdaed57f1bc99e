import { BlockList, isIP } from 'node:net';

/**
 * From where an address can be reached: from everywhere, from a private network, or only from this machine.
 */
export type Reach = 'public' | 'private' | 'loopback';

const widestFirst: readonly Reach[] = ['public', 'private', 'loopback'];

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

/** The reach of a host: an address, also in brackets, or a name. Names are not resolved, and are public. */
export function reachOf(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  const version = isIP(host);
  if (version === 0) return 'public';
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (listOf(loopback).check(host, family)) return 'loopback';
  // A list with `::ffff:0:0/96` contains every IPv4 address, too, because Node compares these as IPv6.
  const isTranslated = family === 'ipv6' && listOf(translating).check(host, family);
  return isTranslated || listOf(unreachable).check(host, family) ? 'private' : 'public';
}

/** Whether fewer machines can reach a host of the first reach than one of the second. */
export function isNarrower(reach: Reach, than: Reach): boolean {
  return widestFirst.indexOf(reach) > widestFirst.indexOf(than);
}
