import { fileURLToPath } from 'node:url';
import { messageOf } from '../error-text.ts';
import { quoted } from '../safe-text.ts';

const maxRoots = 100;

/**
 * Opens the roots of a client, given as file URIs. Skips, with a warning, a root that is malformed, a root
 * for which `open` throws, and every root after the first 100.
 */
export function openRoots<T>(
  uris: readonly string[],
  open: (path: string) => T,
  warn: (message: string, error?: unknown) => void,
): T[] {
  if (uris.length > maxRoots) warn(`Only the first ${maxRoots} of ${uris.length} roots are used`);
  const opened: T[] = [];
  for (const uri of new Set(uris.slice(0, maxRoots))) {
    try {
      opened.push(open(pathOf(uri)));
    } catch (error) {
      warn(`Root skipped: ${messageOf(error)}`, error);
    }
  }
  return opened;
}

function pathOf(uri: string): string {
  if (!/^file:\/\//i.test(uri)) throw new Error(`Not a file URI: ${quoted(uri)}`);
  try {
    return fileURLToPath(uri);
  } catch (error) {
    throw new Error(`Not a path on this system: ${quoted(uri)}`, { cause: error });
  }
}
