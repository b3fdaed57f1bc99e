import type { Call } from '../define/call.ts';
import type { Caller } from '../define/caller.ts';
import { noteEffect, type RepeatableCall } from '../define/repeated-effect.ts';
import { checkedKey, type StateStore } from './state-store.ts';

/**
 * The part of a state that belongs to the caller: keys of two principals never meet. Calls without a caller,
 * such as all over stdio unless `serveStdio` has a `caller`, share one part. In a handler that asks, put
 * `increment` into `once`, or after the last question: the handler runs again with each answer. An `ask` that
 * follows an `increment` otherwise throws.
 * @example
 * ```ts
 * import { defineTool } from '@mcp/protocol';
 * import { callerState, memoryState } from '@mcp/protocol/state';
 *
 * const state = memoryState();
 *
 * export const count = defineTool({
 *   name: 'count',
 *   description: 'Counts your calls.',
 *   run: async (_, call) => `This is call ${await callerState(state, call).increment('calls')}`,
 * });
 * ```
 */
export function callerState(
  store: StateStore,
  call: Pick<Call<unknown, Caller | undefined>, 'caller'>,
): StateStore {
  // A principal as JSON ends at its closing quote, so no two principals with their keys have the same text.
  const owner = JSON.stringify(call.caller?.principal ?? null);
  const own = (key: string) => `${owner} ${checkedKey(key)}`;
  return {
    get: async (key) => store.get(own(key)),
    set: async (key, value, lifetime) => store.set(own(key), value, lifetime),
    delete: async (key) => store.delete(own(key)),
    increment: async (key, by, lifetime) => {
      (call as RepeatableCall)[noteEffect]?.(`\`increment\` of the state "${key}"`);
      return store.increment(own(key), by, lifetime);
    },
  };
}
