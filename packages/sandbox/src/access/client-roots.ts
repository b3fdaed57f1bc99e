import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AllowedDirectory } from './allowed-directory.ts';
import { quoted } from '../display-name.ts';
import { OutsideDirectories, toPathError } from '../errors.ts';
import type { PathOpener } from './path-opener.ts';

const maxRoots = 100;

export interface ClientRootsOptions {
  readonly opener: PathOpener;
  readonly warn: (message: string) => void;
}

/** Opens the roots of clients, each directory once, however often roots change. */
export class ClientRoots {
  readonly #opener: PathOpener;
  readonly #warn: (message: string) => void;
  /** By real path. Narrowed sandboxes that are not disposed end with the garbage collector. */
  readonly #open = new Map<string, WeakRef<AllowedDirectory>>();
  readonly #collected = new FinalizationRegistry<() => void>((close) => close());

  constructor({ opener, warn }: ClientRootsOptions) {
    this.#opener = opener;
    this.#warn = warn;
  }

  /**
   * The roots of a client, limited to the directories that the operator allowed, where there are any.
   * Where all roots lie outside them, the allowed directories stay as they are: the client works elsewhere.
   * A root that is malformed or cannot be opened is skipped with a warning; where no other root remains,
   * no directory is allowed.
   */
  within(uris: readonly string[], allowed: readonly AllowedDirectory[]): readonly AllowedDirectory[] {
    const found = new Map<string, AllowedDirectory>();
    const opened: AllowedDirectory[] = [];
    let isElsewhere = true;
    if (uris.length > maxRoots) this.#warn(`Only the first ${maxRoots} of ${uris.length} roots are used`);
    for (const uri of new Set(uris.slice(0, maxRoots))) {
      try {
        for (const directory of this.#directoriesOf(uri, allowed, opened)) {
          if (!found.has(directory.real)) found.set(directory.real, directory.share());
        }
      } catch (error) {
        if (!(error instanceof OutsideDirectories)) isElsewhere = false;
        this.#warn(`Root skipped: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    // Only the result keeps them open.
    for (const directory of opened) directory.close();
    if (found.size > 0) return [...found.values()];
    return isElsewhere ? allowed.map((directory) => directory.share()) : [];
  }

  /** The intersection of a root and the allowed directories. */
  #directoriesOf(
    uri: string,
    allowed: readonly AllowedDirectory[],
    opened: AllowedDirectory[],
  ): readonly AllowedDirectory[] {
    const path = pathOf(uri);
    const root = this.#openRoot(path, allowed, opened);
    if (allowed.length === 0 || allowed.some((directory) => directory.contains(root.real))) return [root];
    const inside = allowed.filter((directory) => root.contains(directory.real));
    if (inside.length === 0) throw new OutsideDirectories(path);
    return inside;
  }

  #openRoot(
    path: string,
    allowed: readonly AllowedDirectory[],
    opened: AllowedDirectory[],
  ): AllowedDirectory {
    try {
      const known = this.#open.get(realpathSync.native(path))?.deref();
      if (known?.isOpen && known.isUnmoved() && known.name === resolve(path)) return known;
      const directory = AllowedDirectory.open(path, this.#opener);
      opened.push(directory);
      this.#open.set(directory.real, new WeakRef(directory));
      this.#collected.register(directory, directory.release());
      return directory;
    } catch (error) {
      const isInside = allowed.some((directory) => directory.remainder(resolve(path)) !== undefined);
      if (allowed.length > 0 && !isInside) throw new OutsideDirectories(path);
      throw toPathError(error, path, 'directory');
    }
  }
}

function pathOf(uri: string): string {
  if (!/^file:\/\//i.test(uri)) throw new Error(`Not a file URI: ${quoted(uri)}`);
  try {
    return fileURLToPath(uri);
  } catch (error) {
    throw new Error(`Not a path on this system: ${quoted(uri)}`, { cause: error });
  }
}
