import { messageOf } from '@mcp/kit';
import { internalError, invalidParams, methodNotFound, RpcError } from '../../jsonrpc/error.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import type { Revision } from '../../revisions/revision.ts';
import { isStoreUnavailable, unavailableText } from '../../state/shared-store.ts';
import { latestLegacy, modern, versions } from '../../revisions/table.ts';

/** The error of a request that neither follows an `initialize` nor has the `_meta` of revision 2026-07-28. */
export function notInitialized(): RpcError {
  return new RpcError(
    invalidParams,
    `Either open with "initialize" (up to ${latestLegacy.version}), or put "${metaKeys.protocolVersion}" and ` +
      `"${metaKeys.clientCapabilities}" into "_meta" of every request (${modern.version})`,
    { supported: versions },
  );
}

export function unknownMethod(method: string, revision: Revision): RpcError {
  const data = method === 'initialize' ? { supported: versions } : undefined;
  const message = revision.requests.has(method)
    ? `This server does not support "${method}"`
    : `No method "${method}" in protocol version ${revision.version}`;
  return new RpcError(methodNotFound, message, data);
}

/** When a client may send a request again that failed because a store cannot be used now, in seconds. */
export function retryAfterOf(error: unknown): number | undefined {
  return isStoreUnavailable(error) ? error.retryAfterSeconds : undefined;
}

/** The error that a client gets: an `RpcError` unchanged; any other as an internal error with its message. */
export function rpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (isStoreUnavailable(error))
    return new RpcError(internalError, unavailableText, undefined, { cause: error });
  return new RpcError(internalError, messageOf(error), undefined, { cause: error });
}
