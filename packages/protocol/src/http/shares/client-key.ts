import type { Caller } from '../../define/caller.ts';

/** The key of all clients on the loopback without a principal, because they have the same address. */
export const local = 'local';
const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** The key under which a client is counted. Clients that share a token are told apart by their addresses. */
export function clientOf(caller: Caller | undefined, address: string | undefined): string {
  const at = address === undefined || loopback.test(address) ? local : networkOf(address);
  return caller && !caller.shared ? JSON.stringify([caller.principal, at]) : at;
}

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because all addresses with the
 * same first 64 bits have one owner.
 */
function networkOf(address: string): string {
  const [v4] = /\d+\.\d+\.\d+\.\d+$/.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  const [before = '', after] = address.replace(/%.*/, '').split('::', 2);
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
