import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasSources } from './source-kinds.ts';

export const maxDirectories = 1_000;

/** The size in bytes above which only the metadata of a file is compared. */
const maxContentBytes = 4 * 1024 * 1024;

/** Directories and those below them that may have sources, the nearest first, at most `maxDirectories`. */
export async function directoriesBelow(directories: readonly string[]): Promise<ReadonlySet<string>> {
  const found = [...directories];
  for (let index = 0; index < found.length && found.length < maxDirectories; index++)
    found.push(...(await directoriesIn(found[index]!)));
  return new Set(found.slice(0, maxDirectories));
}

/** The directories in a directory that may have sources. */
export async function directoriesIn(directory: string): Promise<readonly string[]> {
  const entries = await entriesOf(directory);
  const names = entries.filter((entry) => entry.isDirectory() && hasSources(entry.name));
  return names.map(({ name }) => join(directory, name)).toSorted();
}

/** The entries of a directory; none if it has been removed since it was listed. */
function entriesOf(path: string) {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}

/**
 * The contents of source files, to find out which have changed: a file that is written again with the same
 * content has not.
 */
export class SourceContents {
  readonly #isSource: (name: string) => boolean;
  /** The digest of each file, with the metadata that it had. */
  readonly #known = new Map<string, { readonly identity: string; readonly digest: string }>();

  constructor(isSource: (name: string) => boolean) {
    this.#isSource = isSource;
  }

  /** Reads the sources in a directory again. Returns the paths of those that are new, changed or gone. */
  async changesIn(directory: string): Promise<readonly string[]> {
    const entries = await entriesOf(directory);
    const names = entries.filter((entry) => !entry.isDirectory() && this.#isSource(entry.name));
    const paths = new Set(names.map(({ name }) => join(directory, name)));
    for (const path of this.#known.keys())
      if (dirname(path) === directory && this.#isSource(basename(path))) paths.add(path);
    return this.#changesOf([...paths]);
  }

  /** Reads a file again, whatever its kind. Returns its path if it has changed. */
  changesOf(path: string): Promise<readonly string[]> {
    return this.#changesOf([path]);
  }

  async #changesOf(paths: readonly string[]): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const path of paths) if (await this.#hasChanged(path)) changed.push(path);
    return changed;
  }

  async #hasChanged(path: string): Promise<boolean> {
    const known = this.#known.get(path);
    const stats = await stat(path, { bigint: true }).catch(() => undefined);
    if (!stats?.isFile()) return this.#known.delete(path);
    const identity = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
    if (known?.identity === identity) return false;
    const content = stats.size > maxContentBytes ? identity : await readFile(path).catch(() => identity);
    const digest = createHash('sha256').update(content).digest('hex');
    this.#known.set(path, { identity, digest });
    return known?.digest !== digest;
  }
}
