import type { Wrap, WrappedCall } from '../define/wrap.ts';
import { settle } from './settle.ts';

/**
 * Replaces the errors of handlers: what `map` returns is thrown instead. `map` may also throw, or return the
 * same error.
 * @example
 * ```ts
 * import { defineServer, ToolError } from '@mcp/protocol';
 * import { mapErrors } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({
 *   name: 'example',
 *   version: '1.0.0',
 *   wrap: [mapErrors((error) => (error instanceof RangeError ? new ToolError('Too large') : error))],
 * });
 * ```
 */
export function mapErrors<Context = unknown, Who = unknown>(
  map: (error: unknown, wrapped: WrappedCall<Context, Who>) => unknown,
): Wrap<Context, Who> {
  return (wrapped, next) =>
    settle(
      next,
      (value) => value,
      async (error) => {
        throw await map(error, wrapped);
      },
    );
}
