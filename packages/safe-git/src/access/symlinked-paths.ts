import { lstatSync } from 'node:fs';

/** Finds paths that lead through a symlink, which some git commands would follow out of the work tree. */
export class SymlinkedPaths {
  readonly #top: Buffer;
  readonly #directories = new Map<string, boolean>();

  constructor(top: string) {
    this.#top = Buffer.from(`${top}/`);
  }

  /**
   * Whether a parent of `path` is no directory but, for example, a symlink. Paths are bytes, because they
   * need not be UTF-8.
   */
  has(path: Buffer): boolean {
    const slash = path.lastIndexOf(0x2f);
    if (slash === -1) return false;
    const directory = path.subarray(0, slash);
    const key = directory.toString('latin1');
    const known = this.#directories.get(key);
    if (known !== undefined) return known;
    const found = this.has(directory) || !this.#isDirectory(directory);
    this.#directories.set(key, found);
    return found;
  }

  #isDirectory(path: Buffer): boolean {
    const stats = lstatSync(Buffer.concat([this.#top, path]), { throwIfNoEntry: false });
    return stats?.isDirectory() === true;
  }
}
