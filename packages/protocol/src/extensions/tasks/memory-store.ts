import type { TaskStore } from './task-store.ts';

const usualMaxLength = 64 * 1024 * 1024;

/** Keeps tasks for as long as this process lives, in at most `maxLength` characters (64 Mi). */
export function memoryStore({ maxLength = usualMaxLength }: { maxLength?: number } = {}): TaskStore {
  const texts = new Map<string, string>();
  let length = 0;
  return {
    get: async (key) => texts.get(key),
    async set(key, text) {
      const after = length - (texts.get(key)?.length ?? 0) + text.length;
      if (after > maxLength) throw new Error(`Tasks may take ${maxLength} characters, and have`);
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
