import { keptNames, orMissing, replaceFile } from '@mcp/kit/node';
import { builtinModule } from '../../platform/builtin-module.ts';

/** A store of tasks: texts by key. Tasks outlive the process if the store does. */
export interface TaskStore {
  get(key: string): Promise<string | undefined>;
  /** Stores `text` atomically, even if the process ends meanwhile. Resolves once the text is durable. */
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /**
   * Stores `text` if the stored text is `old`; returns whether it was. Needed where several processes may
   * change a task. Default: `set`.
   */
  replace?(key: string, old: string, text: string): Promise<boolean>;
}

const defaultMaxLength = 64 * 1024 * 1024;
const ending = '.json';

/**
 * Keeps tasks in the memory of this process, in at most `maxLength` characters. Default: 64 Mi.
 * @example
 * ```ts
 * import { createTasks, memoryTaskStore } from '@mcp/protocol/tasks';
 *
 * createTasks({ store: memoryTaskStore({ maxLength: 1_000_000 }) });
 * ```
 */
export function memoryTaskStore({ maxLength = defaultMaxLength }: { maxLength?: number } = {}): TaskStore {
  const texts = new Map<string, string>();
  let length = 0;
  return {
    get: async (key) => texts.get(key),
    async set(key, text) {
      const after = length - (texts.get(key)?.length ?? 0) + text.length;
      if (after > maxLength)
        throw new Error(`The store of tasks is full: it has at most ${maxLength} characters`);
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

/**
 * Keeps tasks in `directory`, as files that only the user of this process can read. Several processes may
 * share the directory. Throws in a runtime without a file system.
 * @example
 * ```ts
 * import { createTasks, fileTaskStore } from '@mcp/protocol/tasks';
 *
 * createTasks({ store: fileTaskStore('/var/lib/reports/tasks'), ttlMs: 24 * 3_600_000 });
 * ```
 */
export function fileTaskStore(directory: string): TaskStore {
  // Not imported, so that `createTasks` can be loaded without a file system, as in an edge worker.
  const files = builtinModule('node:fs/promises');
  const path = builtinModule('node:path');
  if (!files || !path) throw new Error('`fileTaskStore` needs files, which this runtime does not have');
  const { readFile, rm } = files;
  const pathOf = (key: string) => path.join(directory, `${encodeURIComponent(key)}${ending}`);
  return {
    get: (key) => orMissing(readFile(pathOf(key), 'utf8')),
    set: (key, text) => replaceFile(pathOf(key), text),
    delete: (key) => rm(pathOf(key), { force: true }),
    async keys() {
      const names = await keptNames(directory);
      return names.flatMap((name) => keyOf(name) ?? []);
    },
  };
}

function keyOf(name: string): string | undefined {
  if (!name.endsWith(ending)) return undefined;
  try {
    return decodeURIComponent(name.slice(0, -ending.length));
  } catch {
    // The name has an invalid encoding, so the file does not belong to this store.
    return undefined;
  }
}
