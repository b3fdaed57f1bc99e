import type { Wrap, WrappedCall } from '../define/wrap.ts';
import { principalOf } from './log-calls.ts';

/** The limit of `limitRate`. */
export interface RateLimit {
  /** The number of calls that a caller may make within `perMs` milliseconds. */
  readonly calls: number;
  readonly perMs: number;
  /** The key that calls are counted by. Default: the principal, or one key for all calls without a caller. */
  readonly keyOf?: (wrapped: WrappedCall<unknown, unknown>) => string;
}

/** The number of callers whose calls are counted; the one that was idle longest is forgotten first. */
const maxKeys = 10_000;

/**
 * Refuses calls of handlers above a rate, for each caller. A caller may make `calls` calls at once; further
 * calls become possible evenly over time, `calls` in each `perMs` milliseconds (a token bucket). Lists and
 * completions are not counted.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { limitRate } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({
 *   name: 'example',
 *   version: '1.0.0',
 *   wrap: [limitRate({ calls: 60, perMs: 60_000 })],
 * });
 * ```
 */
export function limitRate({ calls, perMs, keyOf = byPrincipal }: RateLimit): Wrap<unknown, unknown> {
  if (!(calls >= 1 && perMs > 0))
    throw new Error(
      `Invalid limit: ${calls} calls per ${perMs} ms; expected at least 1 call and a time above 0`,
    );
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (wrapped, next) => {
    if (!counted.has(wrapped.method)) return next();
    const key = keyOf(wrapped);
    const now = performance.now();
    const { tokens: before, at } = buckets.get(key) ?? { tokens: calls, at: now };
    const tokens = Math.min(calls, before + ((now - at) * calls) / perMs);
    buckets.delete(key);
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value!);
    if (tokens >= 1) return next();
    const seconds = Math.ceil(((1 - tokens) * perMs) / calls / 1_000);
    throw new Error(`Too many calls: at most ${calls} in ${perMs / 1_000} s; try again in ${seconds} s`);
  };
}

const counted = new Set(['tools/call', 'prompts/get', 'resources/read']);

const byPrincipal = ({ call }: WrappedCall<unknown, unknown>) => JSON.stringify(principalOf(call) ?? null);
