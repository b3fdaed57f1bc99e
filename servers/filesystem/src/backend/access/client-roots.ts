import { fileURLToPath } from 'node:url';
import { AllowedDirectory } from './allowed-directory.ts';
import { quoted } from '../display-name.ts';
import type { PathOpener } from './path-opener.ts';

const maxRoots = 100;

/** Closes the descriptor of a directory when its object is garbage-collected. */
const unused = new FinalizationRegistry<() => void>((close) => close());

/**
 * The roots of a client, limited to the directories that the operator allowed, where there are any. Roots that are no
 * directory or lie outside are skipped with a warning. Where no root remains, the allowed directories stay as they are.
 */
export function clientRootDirectories(
  uris: readonly string[],
  allowed: readonly AllowedDirectory[],
  opener: PathOpener,
  warn: (message: string) => void,
): readonly AllowedDirectory[] {
  const found = new Map<string, AllowedDirectory>();
  if (uris.length > maxRoots) warn(`Only the first ${maxRoots} of ${uris.length} roots are used`);
  for (const uri of new Set(uris.slice(0, maxRoots))) {
    try {
      for (const directory of intersect(openRoot(uri, opener), allowed)) {
        if (!found.has(directory.real)) found.set(directory.real, directory);
      }
    } catch (error) {
      warn(`Root skipped: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found.size > 0 ? [...found.values()] : allowed;
}

/** The intersection of a root and the allowed directories. */
function intersect(
  root: AllowedDirectory,
  allowed: readonly AllowedDirectory[],
): readonly AllowedDirectory[] {
  if (allowed.length === 0 || allowed.some((directory) => directory.contains(root.real))) return [root];
  const inside = allowed.filter((directory) => root.contains(directory.real));
  if (inside.length === 0) throw new Error(`Outside the allowed directories: ${quoted(root.name)}`);
  return inside;
}

function openRoot(uri: string, opener: PathOpener): AllowedDirectory {
  if (!/^file:\/\//i.test(uri)) throw new Error(`Not a file URI: ${quoted(uri)}`);
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch (error) {
    throw new Error(`Not a path on this system: ${quoted(uri)}`, { cause: error });
  }
  const directory = AllowedDirectory.open(path, opener);
  unused.register(directory, directory.release());
  return directory;
}
