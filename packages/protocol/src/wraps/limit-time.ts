import { maxDelayMs } from '@mcp/kit';
import type { Wrap } from '../define/wrap.ts';

/**
 * Fails calls whose handler takes longer than `ms` milliseconds, and aborts `call.signal`, so that the
 * handler can stop. A handler that blocks the event loop cannot be stopped.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { limitTime } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({ name: 'example', version: '1.0.0', wrap: [limitTime(30_000)] });
 * ```
 */
export function limitTime(ms: number): Wrap<unknown, unknown> {
  if (!(ms > 0)) throw new Error(`Invalid time limit: ${ms} ms; expected a number above 0`);
  return (wrapped, next) => {
    const value = next();
    if (!(value instanceof Promise)) return value;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          const error = new Error(
            `"${wrapped.name}" took longer than ${ms / 1_000} s, the limit of this server`,
          );
          wrapped.abort(error);
          reject(error);
        },
        Math.min(ms, maxDelayMs),
      );
      const settled = (settle: (value: never) => void) => (result: unknown) => {
        clearTimeout(timer);
        settle(result as never);
      };
      value.then(settled(resolve), settled(reject));
    });
  };
}
