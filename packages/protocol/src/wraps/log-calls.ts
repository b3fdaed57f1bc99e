import { messageOf } from '@mcp/kit';
import { InputRequired } from '../define/input/input.ts';
import type { Wrap, WrappedCall } from '../define/wrap.ts';
import { settle } from './settle.ts';

/** What `logCalls` reports about a call when its handler has ended. */
export interface CallEntry {
  /** When the call reached the server. */
  readonly time: Date;
  readonly method: WrappedCall['method'];
  readonly name: string;
  /** Undefined without a caller. */
  readonly principal: string | undefined;
  /** The name that the client gives itself. */
  readonly client: string | undefined;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** `asked` means that the handler has requested input and runs again with the answers. */
  readonly outcome: 'done' | 'asked' | 'failed' | 'cancelled';
  /** The message of the error; undefined if there was none. */
  readonly error: string | undefined;
}

/**
 * Reports each call when its handler has ended. Reports nothing of the arguments and the result.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { logCalls } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({
 *   name: 'example',
 *   version: '1.0.0',
 *   wrap: [logCalls(({ method, name, ms, outcome }) => console.error(method, name, outcome, `${ms} ms`))],
 * });
 * ```
 */
export function logCalls(report: (entry: CallEntry) => void): Wrap<unknown, unknown> {
  return (wrapped, next) => {
    const time = new Date();
    const started = performance.now();
    const ended = (outcome: CallEntry['outcome'], error?: string) =>
      report({
        time,
        ...namesOf(wrapped),
        ms: Math.round(performance.now() - started),
        outcome,
        error,
      });
    return settle(
      next,
      (value) => {
        ended(value instanceof InputRequired ? 'asked' : 'done');
        return value;
      },
      (error) => {
        ended(wrapped.call.signal.aborted ? 'cancelled' : 'failed', messageOf(error));
        throw error;
      },
    );
  };
}

function namesOf({ method, name, call }: WrappedCall<unknown, unknown>) {
  const client = call.client.info?.['name'];
  return {
    method,
    name,
    principal: principalOf(call),
    client: typeof client === 'string' ? client : undefined,
  };
}

/** The principal of a call whose caller may have any type. */
export function principalOf({ caller }: WrappedCall<unknown, unknown>['call']): string | undefined {
  const { principal } = (caller ?? {}) as { readonly principal?: string };
  return principal;
}
