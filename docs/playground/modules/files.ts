/** The files of the playground, by path; they live as long as the worker. */
const files = new Map<string, Uint8Array<ArrayBuffer>>();
const listeners = new Map<string, Set<() => void>>();

/** `node:fs/promises`, for files in memory. */
export async function readFile(path: string): Promise<Uint8Array>;
export async function readFile(path: string, encoding: 'utf8'): Promise<string>;
export async function readFile(path: string, encoding?: 'utf8'): Promise<Uint8Array | string> {
  const bytes = await Promise.resolve(files.get(path));
  if (!bytes) {
    const error = new Error(`ENOENT: no such file or directory, open '${path}'`);
    throw Object.assign(error, { code: 'ENOENT' });
  }
  return encoding === undefined ? bytes : new TextDecoder().decode(bytes);
}

export async function writeFile(path: string, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);
  await Promise.resolve(files.set(path, bytes));
  for (const changed of listeners.get(path) ?? []) changed();
}

export async function appendFile(path: string, data: string): Promise<void> {
  await writeFile(path, new TextDecoder().decode(files.get(path)) + data);
}

/** The `Watcher` of `@mcp/watch`, for files in memory. */
export class Watcher {
  watch(path: string, changed: () => void): Promise<() => Promise<void>> {
    let set = listeners.get(path);
    if (!set) listeners.set(path, (set = new Set()));
    const listener = () => changed();
    set.add(listener);
    return Promise.resolve(() => Promise.resolve(void set.delete(listener)));
  }
}
