import { fileURLToPath } from 'node:url';
import { AllowedDirectory } from './allowed-directory.ts';
import { quoted } from '../display-name.ts';
import type { Door } from './path-opener.ts';

const most = 100;

/** Closes what is held open of a directory once nobody can use it any more. */
const unused = new FinalizationRegistry<() => void>((close) => close());

/**
 * The directories a client works in, as far as they may be touched: within what the operator allowed, where that is
 * anything. What is no directory, or elsewhere, is left out with the reason. Where nothing is left of what the operator allowed,
 * it stays as it is: a client that works elsewhere says nothing about it.
 */
export function clientDirectories(
  uris: readonly string[],
  allowed: readonly AllowedDirectory[],
  door: Door,
  warn: (message: string) => void,
): readonly AllowedDirectory[] {
  const found = new Map<string, AllowedDirectory>();
  if (uris.length > most) warn(`Only the first ${most} of ${uris.length} roots are heeded`);
  for (const uri of new Set(uris.slice(0, most))) {
    try {
      for (const directory of within(opened(uri, door), allowed)) {
        if (!found.has(directory.real)) found.set(directory.real, directory);
      }
    } catch (error) {
      warn(`Root left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found.size > 0 ? [...found.values()] : allowed;
}

/** What a root and the allowed directories have in common. */
function within(root: AllowedDirectory, allowed: readonly AllowedDirectory[]): readonly AllowedDirectory[] {
  if (allowed.length === 0 || allowed.some((directory) => directory.holds(root.real))) return [root];
  const inside = allowed.filter((directory) => root.holds(directory.real));
  if (inside.length === 0) throw new Error(`Outside the allowed directories: ${quoted(root.name)}`);
  return inside;
}

function opened(uri: string, door: Door): AllowedDirectory {
  if (!/^file:\/\//i.test(uri)) throw new Error(`Not a file: URI: ${quoted(uri)}`);
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch (error) {
    throw new Error(`Not the path of a directory here: ${quoted(uri)}`, { cause: error });
  }
  const directory = AllowedDirectory.open(path, door);
  unused.register(directory, directory.release());
  return directory;
}
