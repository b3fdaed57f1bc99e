import { isObject } from '@mcp/kit';
import { type LogLevel, logLevels } from '../../define/call.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import { isId, type JsonObject, type Request } from '../../jsonrpc/message.ts';
import { unsupportedVersion } from '../../revisions/codes.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import { modern, versions } from '../../revisions/table.ts';
import type { Peer } from '../call/active-call.ts';

/** Whether a request has the `_meta` of revision 2026-07-28, which makes the request stateless. */
export function standsAlone(meta: JsonObject | undefined): meta is JsonObject {
  return (
    meta !== undefined &&
    (meta[metaKeys.protocolVersion] !== undefined || meta[metaKeys.clientCapabilities] !== undefined)
  );
}

/**
 * The client that sends a stateless request, as `_meta` describes it.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export function peerIn(
  meta: JsonObject,
  logging: boolean,
  { principal, warn }: Pick<Peer, 'principal' | 'warn'> = {},
): Peer {
  const version = meta[metaKeys.protocolVersion];
  if (version !== modern.version) {
    if (typeof version !== 'string') throw metaError(metaKeys.protocolVersion, 'a version string');
    const message = `Unsupported protocol version in "_meta": "${version}"; expected ${modern.version}`;
    throw new RpcError(unsupportedVersion, message, { supported: versions, requested: version });
  }
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isObject(capabilities)) throw metaError(metaKeys.clientCapabilities, 'an object');
  const level = meta[metaKeys.logLevel];
  if (level !== undefined && !logLevels.includes(level as LogLevel)) {
    throw metaError(metaKeys.logLevel, `one of ${logLevels.join(', ')}`);
  }
  const info = meta[metaKeys.clientInfo];
  return {
    revision: modern,
    capabilities,
    logLevel: logging ? (level as LogLevel | undefined) : undefined,
    info: isObject(info) ? info : undefined,
    principal,
    requests: undefined,
    warn,
  };
}

/** The parameters of a request; throws an `RpcError` if they are not an object. */
export function paramsOf({ params }: Request): JsonObject {
  if (params === undefined) return {};
  if (isObject(params)) return params;
  throw new RpcError(invalidParams, '"params" must be an object');
}

/** The `_meta` of a request; throws an `RpcError` if it is not an object. */
export function metaOf(params: JsonObject | undefined): JsonObject | undefined {
  const meta = params?.['_meta'];
  if (meta === undefined || isObject(meta)) return meta;
  throw new RpcError(invalidParams, '"_meta" must be an object');
}

/** The progress token of a request; undefined if it has none. */
export function progressTokenIn(meta: JsonObject | undefined): string | number | undefined {
  const token = meta?.['progressToken'];
  if (token === undefined || isId(token)) return token;
  throw metaError('progressToken', 'a string or an integer');
}

function metaError(key: string, expected: string): RpcError {
  return new RpcError(invalidParams, `"_meta.${key}" must be ${expected}`);
}
