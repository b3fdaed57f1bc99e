/** The codes that JSON-RPC 2.0 defines. */
export const parseError = -32700;
export const invalidRequest = -32600;
export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;

/** The error codes of JSON-RPC 2.0, section 5.1, for {@link RpcError}. */
export const errorCodes = {
  parseError,
  invalidRequest,
  methodNotFound,
  invalidParams,
  internalError,
} as const;

/** The `error` of a JSON-RPC response. */
export type ErrorObject = {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
};

/** An error that is sent as, or was received in, a JSON-RPC error response. */
export class RpcError extends Error implements ErrorObject {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

/** The error for requests that can no longer be answered, because the channel has ended. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** The error for a request that the other side has not received: it can be sent over a new channel. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

/**
 * Whether `thrown` comes from a bug: a TypeError or ReferenceError without `code`. Errors that Node throws
 * for a wrong argument have a `code`.
 */
export function isUnexpected(thrown: unknown): boolean {
  return (thrown instanceof TypeError || thrown instanceof ReferenceError) && !('code' in thrown);
}
