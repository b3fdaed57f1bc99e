import { isObject } from '@mcp/kit';
import type { Envelope } from '../../jsonrpc/channel.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import { encodeHeaderValue, subjects } from '../wire/header-value.ts';

/** The methods that change nothing on the server, so a request that may have been lost can be sent again. */
export const repeatableMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'ping',
  'tasks/get',
]);

/**
 * Returns the headers that repeat the version, method, name and arguments of a message, as stateless
 * revisions require; undefined in other revisions.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
 */
export function statelessHeaders({
  method = '',
  params,
  headers,
}: Envelope): { [name: string]: string } | undefined {
  const meta = params?.['_meta'];
  const version = isObject(meta) ? meta[metaKeys.protocolVersion] : undefined;
  if (typeof version !== 'string') return undefined;
  const mirrored: { [name: string]: string } = { 'mcp-protocol-version': version, 'mcp-method': method };
  const subject = params?.[subjects.get(method) ?? 'name'];
  if (typeof subject === 'string') mirrored['mcp-name'] = encodeHeaderValue(subject);
  for (const [name, value] of Object.entries(headers ?? {})) mirrored[name] = encodeHeaderValue(value);
  return mirrored;
}

/** Returns headers with their names in lower case, so that no name occurs twice in different cases. */
export function lowerCase(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
