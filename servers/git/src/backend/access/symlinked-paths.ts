import { lstatSync } from 'node:fs';

/**
 * Paths of a work tree that lead through a link. To git what is there is not the file that it tracks, but some of its
 * commands read it all the same, wherever it is.
 */
export class LinkedPaths {
  readonly #top: Buffer;
  readonly #directories = new Map<string, boolean>();

  constructor(top: string) {
    this.#top = Buffer.from(`${top}/`);
  }

  /** Takes a path as bytes, since the name of a link need not be UTF-8. */
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
