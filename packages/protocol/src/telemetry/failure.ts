import type { Outcome } from '../define/observer.ts';

/** Why a request has failed, in words that have few values. */
export interface Failure {
  /** The value of `error.type`. */
  readonly type: string;
  /** The code of the JSON-RPC error; undefined if the failure has none. */
  readonly code?: number;
}

/**
 * The failure of a request; undefined for a success. It has no message of an error, because messages quote
 * values of arguments.
 */
export function failureOf(method: string, outcome: Outcome): Failure | undefined {
  if (outcome.kind === 'cancelled') return { type: 'cancelled' };
  if (outcome.kind === 'error') return failureIn(outcome.error);
  return method === 'tools/call' && outcome.result['isError'] === true ? { type: 'tool_error' } : undefined;
}

function failureIn(error: unknown): Failure {
  const { code, status, cause, name, constructor } = Object(error) as {
    readonly code?: unknown;
    readonly status?: unknown;
    readonly cause?: unknown;
    readonly name?: unknown;
    readonly constructor?: { readonly name?: unknown };
  };
  if (name === 'TimeoutError') return { type: 'timeout' };
  if (typeof code === 'number' && Number.isSafeInteger(code) && !(error instanceof DOMException))
    return { type: String(code), code };
  if (typeof code === 'string') return { type: code };
  if (typeof status === 'number') return { type: String(status) };
  if (cause instanceof Error) return failureIn(cause);
  return {
    type: typeof constructor?.name === 'string' && constructor.name !== '' ? constructor.name : '_OTHER',
  };
}
