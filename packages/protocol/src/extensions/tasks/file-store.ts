import { builtinModule, type BuiltinModules } from '../../platform/builtin-module.ts';
import type { TaskStore } from './task-store.ts';

const ending = '.json';
const unfinished = '.unfinished';
/** A temporary file older than this was left by a process that ended. */
const abandonedMs = 60_000;

/**
 * Keeps tasks as files in `directory`, which only the owner of the process can read. Several processes may
 * share it. Throws in a runtime without files.
 * @example
 * ```ts
 * import { createTasks, fileStore } from '@mcp/protocol/tasks';
 *
 * createTasks({ store: fileStore('/var/lib/reports/tasks'), ttlMs: 24 * 3_600_000 });
 * ```
 */
export function fileStore(directory: string): TaskStore {
  // Not imported: a worker whose runtime has no files could not load `createTasks` otherwise.
  const files = builtinModule('node:fs/promises');
  const path = builtinModule('node:path');
  if (!files || !path) throw new Error('`fileStore` needs files, which this runtime does not have');
  const { mkdir, readdir, readFile, rename, rm } = files;
  const pathOf = (key: string) => path.join(directory, `${encodeURIComponent(key)}${ending}`);
  return {
    get: (key) => orNothing(readFile(pathOf(key), 'utf8')),
    async set(key, text) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = pathOf(key);
      const next = `${file}.${crypto.randomUUID()}${unfinished}`;
      try {
        await writeDown(files, next, text);
        await rename(next, file);
      } catch (error) {
        await rm(next, { force: true });
        throw error;
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async keys() {
      const names = (await orNothing(readdir(directory))) ?? [];
      const left = names.filter((name) => name.endsWith(unfinished));
      await Promise.all(left.map((name) => removeAbandoned(files, path.join(directory, name))));
      return names.flatMap((name) => keyOf(name) ?? []);
    },
  };
}

function keyOf(name: string): string | undefined {
  if (!name.endsWith(ending)) return undefined;
  try {
    return decodeURIComponent(name.slice(0, -ending.length));
  } catch {
    // Not a file of this store.
    return undefined;
  }
}

type Files = BuiltinModules['node:fs/promises'];

async function writeDown({ open }: Files, path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeAbandoned({ rm, stat }: Files, path: string): Promise<void> {
  const found = await orNothing(stat(path));
  if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true });
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
