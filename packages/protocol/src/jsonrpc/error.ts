/** The codes JSON-RPC 2.0 defines itself. */
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

/** An error of the conversation: what the other side got wrong, answered as a JSON-RPC error. */
export class RpcError extends Error implements ErrorObject {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/** The other side can no longer answer: its channel ended. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** A request that the other side has not taken: it can be sent again over a new channel. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

/** What was thrown, in words. Anything can be thrown, also what cannot be shown. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'Something was thrown that has no words';
  }
}

/** What was thrown and where, as far as that is known. */
export function stackOf(thrown: unknown): string {
  try {
    return (thrown instanceof Error && thrown.stack) || messageOf(thrown);
  } catch {
    return messageOf(thrown);
  }
}

/** Whether a handler threw this by a bug, not on purpose. What Node's own functions throw has a code. */
export function isUnexpected(thrown: unknown): boolean {
  return (thrown instanceof TypeError || thrown instanceof ReferenceError) && !('code' in thrown);
}
