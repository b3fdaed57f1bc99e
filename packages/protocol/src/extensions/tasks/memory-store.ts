import type { TaskStore } from './task-store.ts';

const defaultMaxLength = 64 * 1024 * 1024;

/**
 * Keeps tasks in the memory of this process, in at most `maxLength` characters. Default: 64 Mi.
 * @example
 * ```ts
 * import { createTasks, memoryStore } from '@mcp/protocol/tasks';
 *
 * createTasks({ store: memoryStore({ maxLength: 1_000_000 }) });
 * ```
 */
export function memoryStore({ maxLength = defaultMaxLength }: { maxLength?: number } = {}): TaskStore {
  const texts = new Map<string, string>();
  let length = 0;
  return {
    get: async (key) => texts.get(key),
    async set(key, text) {
      const after = length - (texts.get(key)?.length ?? 0) + text.length;
      if (after > maxLength) throw new Error(`The store of tasks is full: ${maxLength} characters`);
      texts.set(key, text);
      length = after;
    },
    async delete(key) {
      length -= texts.get(key)?.length ?? 0;
      texts.delete(key);
    },
    keys: async () => [...texts.keys()],
  };
}
