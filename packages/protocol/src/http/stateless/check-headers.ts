import { RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { quote } from '../../jsonrpc/quote.ts';
import { headerMismatch } from '../../revisions/codes.ts';
import { mirroredArguments, valueAt } from '../../schema/mirrored-headers.ts';
import type { HttpRequest } from '../wire/http-message.ts';
import { decodeHeaderValue, subjects } from '../wire/header-value.ts';

/**
 * Refuses a request whose headers contradict its body: proxies that route by the headers must be able to rely
 * on them.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export function checkHeaders(
  request: HttpRequest,
  method: string,
  params: JsonObject,
  inputSchema?: JsonObject,
): void {
  if (request.header('mcp-method') !== method) throw mismatch(request, 'Mcp-Method', method);
  const source = subjects.get(method);
  if (source !== undefined) compare(request, 'Mcp-Name', params[source]);
  if (!inputSchema) return;
  for (const { header, path } of mirroredArguments(inputSchema)) {
    compare(request, header, valueAt(params['arguments'], path));
  }
}

function compare(request: HttpRequest, name: string, expected: unknown): void {
  const raw = request.header(name.toLowerCase());
  const absent = expected === undefined || expected === null;
  if (absent && raw === undefined) return;
  const value = raw === undefined ? undefined : decodeHeaderValue(raw);
  if (absent || value === undefined || !says(value, expected)) throw mismatch(request, name, expected);
}

function says(value: string, expected: unknown): boolean {
  if (typeof expected === 'boolean') return value === String(expected);
  if (typeof expected !== 'number') return value === expected;
  // A client may write 42 as `42.0`. A number above 2^53 never matches, because JavaScript rounds it and
  // could take it for a different number.
  return Number.isSafeInteger(expected) && /^-?\d+(?:\.\d*)?$/.test(value) && Number(value) === expected;
}

/** The error of a header that contradicts the body. */
export function mismatch(request: HttpRequest, name: string, expected: unknown): RpcError {
  const value = request.header(name.toLowerCase());
  const actual = value === undefined ? 'is missing' : `is ${quote(value)}`;
  const body = expected === undefined || expected === null ? 'nothing' : quote(expected);
  return new RpcError(headerMismatch, `The header ${name} ${actual}, but the body has ${body}`);
}
