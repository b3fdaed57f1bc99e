import type { Caller } from '../define/caller.ts';
import { InputRequired } from '../define/input/input.ts';
import type { Wrap, WrappedCall } from '../define/wrap.ts';
import { principalOf } from './log-calls.ts';
import { textOf } from './text-of.ts';

/** The options of `cacheResults`. */
export interface CacheOptions {
  /** The names of the tools and prompts, and the URIs of the resources, whose results are kept. */
  readonly names: readonly string[];
  /** Milliseconds for which a result is kept. */
  readonly ms: number;
  /** The maximum number of results; the oldest is forgotten first. Default: 1,000. */
  readonly maxEntries?: number;
  /**
   * Whether callers share results, which must then not depend on the caller or its client. Default: false.
   */
  readonly shared?: boolean;
}

/** The maximum length of a key, which has the arguments: a client must not fill the memory with them. */
const maxKeyLength = 65_536;

/**
 * Keeps the results of the tools, prompts and resources in `names`, and returns them again for equal
 * arguments of the same principal with the same scopes, whose client has the same capabilities in the same
 * revision. Errors and input requests are not kept, nor results for arguments of more than 64 Ki characters,
 * or with objects other than lists, dates and plain objects.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { cacheResults } from '@mcp/protocol/wrap';
 *
 * export const server = defineServer({
 *   name: 'example',
 *   version: '1.0.0',
 *   wrap: [cacheResults({ names: ['report'], ms: 60_000 })],
 * });
 * ```
 */
export function cacheResults({
  names,
  ms,
  maxEntries = 1_000,
  shared = false,
}: CacheOptions): Wrap<unknown, unknown> {
  const known = new Map<string, { readonly value: unknown; readonly until: number }>();
  const cached = new Set(names);
  const keep = (key: string, value: unknown) => {
    known.delete(key);
    known.set(key, { value, until: performance.now() + ms });
    if (known.size > maxEntries) known.delete(known.keys().next().value!);
  };
  return (wrapped, next) => {
    if (!cached.has(wrapped.name) || !handlers.has(wrapped.method) || isAnswered(wrapped)) return next();
    const key = keyOf(wrapped, shared);
    if (key === undefined || key.length > maxKeyLength) return next();
    const found = known.get(key);
    if (found && found.until > performance.now()) return found.value;
    const kept = (value: unknown) => {
      if (!(value instanceof InputRequired)) keep(key, value);
      return value;
    };
    const value = next();
    return value instanceof Promise ? value.then(kept) : kept(value);
  };
}

const handlers = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Whether the handler runs again with answers of the user, so that its result must not be cached. */
function isAnswered({ call }: WrappedCall<unknown, unknown>): boolean {
  // `inputs` has no answers to `ask`: these are in `rounds`, which types of authors do not have.
  const { rounds } = call as { readonly rounds?: unknown };
  return rounds !== undefined || call.state !== undefined || Object.keys(call.inputs).length > 0;
}

function keyOf(
  { method, name, args, call }: WrappedCall<unknown, unknown>,
  shared: boolean,
): string | undefined {
  return textOf([method, name, args, shared ? null : callerKey(call)]);
}

/** What of a caller and its client the results may depend on: an extension changes what a handler returns. */
function callerKey(call: WrappedCall<unknown, unknown>['call']): unknown {
  const { scopes = [] } = (call.caller ?? {}) as Partial<Caller>;
  const { client, clientCapabilities } = call;
  return [principalOf(call) ?? null, [...new Set(scopes)].toSorted(), client.revision, clientCapabilities];
}
