import type { AuthorizationStore } from './store.ts';

/** The last work for each key of a store. */
const queues = new WeakMap<AuthorizationStore, Map<string, Promise<unknown>>>();

/** Runs `work` once all earlier work of this process for the same key of the store is over. */
export function inTurn<T>(store: AuthorizationStore, key: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(store) ?? new Map<string, Promise<unknown>>();
  queues.set(store, queue);
  const result = (queue.get(key) ?? Promise.resolve()).then(work);
  const over = result
    .catch(() => undefined)
    .finally(() => {
      if (queue.get(key) === over) queue.delete(key);
    });
  queue.set(key, over);
  return result;
}
