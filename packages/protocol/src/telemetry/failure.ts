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

/** How many causes of an error are searched for a code. */
const maxCauses = 5;

function failureIn(error: unknown, causes = maxCauses): Failure {
  const { code, status, cause, name } = Object(error) as { readonly [member: string]: unknown };
  if (name === 'TimeoutError') return { type: 'timeout' };
  // The `code` of a `DOMException` numbers its kinds.
  if (typeof code === 'number' && !(error instanceof DOMException)) return { type: String(code), code };
  if (isWord(code)) return { type: code };
  if (typeof status === 'number') return { type: String(status) };
  if (cause instanceof Error && causes > 0) return failureIn(cause, causes - 1);
  return { type: isWord(name) ? name : '_OTHER' };
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,64}$/.test(value);
}
