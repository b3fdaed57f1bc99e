import { isLocalAddress, networkOf } from '@mcp/kit';
import type { Caller } from '../../define/caller.ts';

/** The key of all clients on the loopback without a principal, because they have the same address. */
export const local = 'local';

/** The key under which a client is counted. Clients that share a token are told apart by their addresses. */
export function clientOf(caller: Caller | undefined, address: string | undefined): string {
  const at = address === undefined || isLocalAddress(address) ? local : networkOf(address);
  return caller && !caller.shared ? JSON.stringify([caller.principal, at]) : at;
}
