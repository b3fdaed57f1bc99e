const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** Whether this is the address of a connection from this machine. */
export function isLocalAddress(address: string): boolean {
  return loopback.test(address);
}

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because all addresses with the
 * same first 64 bits have one owner.
 */
export function networkOf(address: string): string {
  const [v4] = /\d+\.\d+\.\d+\.\d+$/.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  const [before = '', after] = address.replace(/%.*/, '').split('::', 2);
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
