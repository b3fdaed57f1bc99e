import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { openRoots } from '@mcp/kit/node';
import { AllowedDirectory } from './allowed-directory.ts';
import { OutsideDirectories, toPathError } from '../errors.ts';
import type { PathOpener } from '../open/path-opener.ts';

export interface ClientRootsOptions {
  readonly opener: PathOpener;
  readonly warn: (message: string) => void;
}

/**
 * Opens the roots of clients. A directory is opened once, even if several clients name it, or one client
 * names it again.
 */
export class ClientRoots {
  readonly #opener: PathOpener;
  readonly #warn: (message: string) => void;
  /**
   * The open roots, by real path. The references are weak, so that the roots of a sandbox that was
   * garbage-collected without `close` are closed too.
   */
  readonly #open = new Map<string, WeakRef<AllowedDirectory>>();
  readonly #collected = new FinalizationRegistry<() => void>((close) => close());

  constructor({ opener, warn }: ClientRootsOptions) {
    this.#opener = opener;
    this.#warn = warn;
  }

  /**
   * Returns the roots of a client, limited to the directories that the operator allowed, if any. If all roots
   * lie outside of these, the roots limit nothing, and the allowed directories are returned. Skips a
   * malformed or unreadable root with a warning; if no other root remains, no directory is allowed.
   */
  within(uris: readonly string[], allowed: readonly AllowedDirectory[]): readonly AllowedDirectory[] {
    const found = new Map<string, AllowedDirectory>();
    const opened: AllowedDirectory[] = [];
    let isElsewhere = true;
    const warn = (message: string, error?: unknown) => {
      if (error !== undefined && !(error instanceof OutsideDirectories)) isElsewhere = false;
      this.#warn(message);
    };
    for (const directory of openRoots(
      uris,
      (path) => this.#directoriesOf(path, allowed, opened),
      warn,
    ).flat())
      if (!found.has(directory.real)) found.set(directory.real, directory.share());
    // Directories in the result were shared above and stay open; the others are closed here.
    for (const directory of opened) directory.close();
    if (found.size > 0) return [...found.values()];
    return isElsewhere ? allowed.map((directory) => directory.share()) : [];
  }

  /**
   * Returns the root if an allowed directory contains it, otherwise the allowed directories inside the root.
   * Throws if there are none.
   */
  #directoriesOf(
    path: string,
    allowed: readonly AllowedDirectory[],
    opened: AllowedDirectory[],
  ): readonly AllowedDirectory[] {
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
