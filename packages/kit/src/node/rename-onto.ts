import { pause } from '../deadline.ts';
import { codeOf } from '../error-text.ts';

/** Milliseconds before each further attempt to rename. */
const retryDelaysMs = [10, 20, 40, 80, 160];

/**
 * Renames a file onto another file. On Windows this fails while another program, such as a virus scanner, has
 * one of the two files open; the rename is then tried again for about 0.3 seconds.
 */
export async function renameOnto(from: string, to: string): Promise<void> {
  // Loaded here and not by an import, so that this module can also be loaded in a runtime without `node:fs`.
  const { rename } = process.getBuiltinModule('node:fs/promises');
  for (const delayMs of retryDelaysMs) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!mayBeOpen(error)) throw error;
      await pause(delayMs);
    }
  }
  return rename(from, to);
}

/** Like {@link renameOnto}, but blocks the thread while it waits. */
export function renameOntoSync(from: string, to: string): void {
  const { renameSync } = process.getBuiltinModule('node:fs');
  for (const delayMs of retryDelaysMs) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (!mayBeOpen(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
    }
  }
  return renameSync(from, to);
}

function mayBeOpen(error: unknown): boolean {
  return process.platform === 'win32' && ['EACCES', 'EBUSY', 'EPERM'].includes(codeOf(error) ?? '');
}
