import { errorCodes, RpcError } from '@mcp/protocol';
import { ClientError } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { HostError } from '../errors.ts';
import { hostErrorOf } from '../servers/host-error-of.ts';

/**
 * Returns error responses of servers unchanged. Other errors become error responses with the server, the
 * phase and a hint.
 */
export function gatewayError(error: unknown, entry?: ServerEntry): unknown {
  if (error instanceof RpcError) return error;
  if (error instanceof ClientError && error.cause instanceof RpcError) return error.cause;
  const known = entry ? hostErrorOf(error, entry) : error;
  if (!(known instanceof HostError)) return error;
  const { message, server, phase, hint } = known;
  return new RpcError(errorCodes.internalError, message, {
    server,
    phase,
    ...(hint !== undefined && { hint }),
  });
}

export function invalid(message: string, data?: unknown): RpcError {
  return new RpcError(errorCodes.invalidParams, message, data);
}
