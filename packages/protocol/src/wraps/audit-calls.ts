import type { Wrap } from '../define/wrap.ts';
import { logCalls } from './log-calls.ts';

/**
 * Writes a line of JSON for each call: time, method, name, arguments, principal, client, duration and
 * outcome. A bigint becomes a text. `write` gets the line with its line break. Arguments may hold secrets:
 * `argumentsOf` can leave some out.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { auditCalls } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({
 *   name: 'example',
 *   version: '1.0.0',
 *   wrap: [auditCalls((line) => process.stderr.write(line))],
 * });
 * ```
 */
export function auditCalls(
  write: (line: string) => void,
  argumentsOf: (name: string, args: unknown) => unknown = (_, args) => args,
): Wrap<unknown, unknown> {
  return (wrapped, next) => {
    const { name, args } = wrapped;
    const log = logCalls((entry) =>
      write(`${JSON.stringify({ ...entry, args: argumentsOf(name, args) }, withoutBigints)}\n`),
    );
    return log(wrapped, next);
  };
}

/** For `JSON.stringify`, which throws for a bigint. */
function withoutBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
