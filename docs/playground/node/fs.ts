import { fileAt, readNow } from '../memory-files.ts';

/** `node:fs`, for files in memory. */
export const readFileSync = readNow;

/** What tells one version of a file from the next. */
export function statSync(path: string): object | undefined {
  const file = fileAt(path);
  return file && { dev: 0, ino: file.number, size: file.bytes.length, mtimeMs: 0, ctimeMs: 0 };
}
