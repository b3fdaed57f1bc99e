import { internalError, invalidParams, RpcError } from '../jsonrpc/error.ts';
import type { Revision } from './revision.ts';

/** The error codes that revision 2026-07-28 added to those of JSON-RPC. */
export const headerMismatch = -32020;
export const missingClientCapability = -32021;
export const unsupportedVersion = -32022;

const defined = new Set([headerMismatch, missingClientCapability, unsupportedVersion]);
const resourceNotFoundBefore = -32002;

/**
 * Returns the error with a code that this revision allows. Revision 2026-07-28 reserves the codes -32099 to
 * -32000, defines three of them, and replaces the code that older revisions have for a resource that does not
 * exist.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 */
export function legalError(revision: Revision, error: RpcError): RpcError {
  const { code, message, data } = error;
  if (!Number.isInteger(code)) return new RpcError(internalError, message, data);
  if (!revision.stateless) return error;
  if (code === resourceNotFoundBefore) return new RpcError(invalidParams, message, data);
  const reserved = code <= -32000 && code >= -32099 && !defined.has(code);
  return reserved ? new RpcError(internalError, message, data) : error;
}
