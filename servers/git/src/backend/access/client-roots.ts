import { fileURLToPath } from 'node:url';
import { quoted } from '../display-name.ts';
import { realDirectory } from './allowed-directories.ts';

const maxRoots = 100;

/**
 * The real paths of a client's roots, given as file URIs. A root that is malformed or no directory is skipped
 * with a warning, and so is each after the first 100.
 */
export function directoriesOfRoots(uris: readonly string[], warn: (message: string) => void): string[] {
  if (uris.length > maxRoots) warn(`Only the first ${maxRoots} of ${uris.length} roots are used`);
  const directories: string[] = [];
  for (const uri of new Set(uris.slice(0, maxRoots))) {
    try {
      directories.push(realDirectory(pathOf(uri)));
    } catch (error) {
      warn(`Root skipped: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return directories;
}

function pathOf(uri: string): string {
  if (!/^file:\/\//i.test(uri)) throw new Error(`Not a file URI: ${quoted(uri)}`);
  try {
    return fileURLToPath(uri);
  } catch (error) {
    throw new Error(`Not a path on this system: ${quoted(uri)}`, { cause: error });
  }
}
