import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { closestNames } from './engine/closest-names.ts';
import type { ImportFormat } from './engine/import-file.ts';
import { DatabaseError, Refused } from './errors.ts';

export interface SourcePath {
  /** Absolute; its directory has no symlinks. */
  readonly file: string;
  readonly format: ImportFormat;
}

const formats: { readonly [extension: string]: ImportFormat } = {
  '.csv': 'csv',
  '.txt': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.json': 'json',
  '.jsonl': 'json',
  '.ndjson': 'json',
};

/** File names that are compared with one that does not exist. */
const maxNames = 1_000;

/** The only directory whose files are imported. */
export class ImportDirectory {
  readonly #root: string;

  /** `root` is absolute and without symlinks. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Resolves a path. Throws where it is outside the directory, no regular file, or of an unknown format. */
  async resolve(path: string): Promise<SourcePath> {
    if (path.includes('\0')) throw new Refused('path contains a NUL character');
    const requested = resolve(isAbsolute(path) ? path : join(this.#root, path));
    const directory = await realpath(dirname(requested)).catch(() => undefined);
    if (directory === undefined) throw await this.#directoryNotFound(path, requested);
    if (!this.#contains(directory)) {
      throw new Refused(`Outside the import directory: "${path}"`, `Files are imported from ${this.#root}`);
    }
    const file = join(directory, basename(requested));
    const stat = await lstat(file).catch(() => undefined);
    if (!stat) throw await this.#notFound(path, directory);
    // The process that opens it checks again, on the opened file.
    if (!stat.isFile()) throw new Refused(`Not a regular file: "${path}"`, 'Symlinks are not followed');
    const format = formats[extname(file).toLowerCase()];
    if (format) return { file, format };
    throw new Refused(
      `Unknown format: "${path}"; expected a name that ends with ${Object.keys(formats).join(', ')}`,
    );
  }

  #contains(directory: string): boolean {
    const fromRoot = relative(this.#root, directory);
    return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
  }

  /** Suggests directories of the same parent, where that is inside. */
  async #directoryNotFound(path: string, requested: string): Promise<DatabaseError> {
    const missing = dirname(requested);
    const parent = await realpath(dirname(missing)).catch(() => undefined);
    const siblings = parent !== undefined && this.#contains(parent) ? await directoriesIn(parent) : [];
    const near = closestNames(basename(missing), siblings);
    return new DatabaseError({
      message: `No such directory: "${dirname(path)}"`,
      ...(near.length > 0 && { near: near.map((name) => join(dirname(dirname(path)), name)) }),
    });
  }

  async #notFound(path: string, directory: string): Promise<DatabaseError> {
    const names = (await readdir(directory).catch(() => [])).slice(0, maxNames);
    const near = closestNames(basename(path), names);
    return new DatabaseError({
      message: `No such file: "${path}"`,
      ...(near.length > 0 && { near: near.map((name) => join(dirname(path), name)) }),
    });
  }
}

async function directoriesIn(parent: string): Promise<readonly string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .slice(0, maxNames)
    .map(({ name }) => name);
}
