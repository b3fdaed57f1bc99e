/** A file of the playground. A file that is written anew is another one, with another number. */
interface MemoryFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly number: number;
}

/** The files by path; they live as long as the worker. */
const files = new Map<string, MemoryFile>();
const listeners = new Map<string, Set<() => void>>();
let written = 0;

export function fileAt(path: string): MemoryFile | undefined {
  return files.get(path);
}

/** Returns the text of a file, or its bytes. Throws as Node does if it is missing. */
export function readNow(path: string, encoding?: 'utf8'): Uint8Array | string {
  const file = files.get(path);
  if (!file) {
    const error = new Error(`ENOENT: no such file or directory, open '${path}'`);
    throw Object.assign(error, { code: 'ENOENT' });
  }
  return encoding === undefined ? file.bytes : new TextDecoder().decode(file.bytes);
}

/** Writes a file, and tells those who listen. */
export function writeNow(path: string, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);
  files.set(path, { bytes, number: ++written });
  for (const changed of listeners.get(path) ?? []) changed();
}

/** Calls `changed` after each change of a file, until the returned function is called. */
export function listen(path: string, changed: () => void): () => void {
  let set = listeners.get(path);
  if (!set) listeners.set(path, (set = new Set()));
  const listener = () => changed();
  set.add(listener);
  return () => void set.delete(listener);
}
