import { fileAt, listen, readNow, writeNow } from '../memory-files.ts';

export { ComparedValue } from '../../../packages/watch/src/compared-value.ts';

/** `node:fs/promises`, for files in memory. */
export async function readFile(path: string): Promise<Uint8Array>;
export async function readFile(path: string, encoding: 'utf8'): Promise<string>;
export async function readFile(path: string, encoding?: 'utf8'): Promise<Uint8Array | string> {
  return Promise.resolve(readNow(path, encoding));
}

export async function writeFile(path: string, data: string | Uint8Array): Promise<void> {
  await Promise.resolve(writeNow(path, data));
}

export async function appendFile(path: string, data: string): Promise<void> {
  await writeFile(path, new TextDecoder().decode(fileAt(path)?.bytes) + data);
}

/** Every directory is there. */
export async function mkdir(): Promise<void> {}

/** The `Watcher` of `@mcp/watch`, for files in memory. */
export class Watcher {
  watch(path: string, changed: () => void): Promise<() => Promise<void>> {
    const stop = listen(path, changed);
    return Promise.resolve(() => Promise.resolve(stop()));
  }

  close(): void {}
}
