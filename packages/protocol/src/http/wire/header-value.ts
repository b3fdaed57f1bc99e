import { Buffer } from 'node:buffer';

/** The name of the parameter whose value is also sent as the header `Mcp-Name`, by method. */
export const subjects: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const start = '=?base64?';
const end = '?=';

/**
 * The value of a header. A value in the Base64 form is decoded. Returns undefined for an invalid value.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(start) || !value.endsWith(end)) {
    return /^[\t\x20-\x7e]*$/.test(value) ? value : undefined;
  }
  const encoded = value.slice(start.length, -end.length);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

/** Encodes a value for a header: unchanged if it is plain ASCII, otherwise in the Base64 form. */
export function encodeHeaderValue(value: string): string {
  const safe = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  if (safe && !(value.startsWith(start) && value.endsWith(end))) return value;
  return `${start}${Buffer.from(value).toString('base64')}${end}`;
}
