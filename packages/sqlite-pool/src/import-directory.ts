import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { closestNames } from '@mcp/kit';
import { contains } from './contains.ts';
import type { Database, RunOptions } from './database.ts';
import type { ImportRequest, ImportResult } from './engine/import-file.ts';
import type { FileTable } from './engine/file-tables.ts';
import type { ImportFormat } from './engine/source-file.ts';
import { quotedNames } from './sql/mentioned-names.ts';
import type { ImportProgress } from './engine/writing/write-events.ts';
import { DatabaseError, Refused } from './errors.ts';

interface SourcePath {
  /** The absolute path of the file. The path of its directory has no symlinks. */
  readonly file: string;
  readonly format: ImportFormat;
}

/**
 * The files that SQL uses as tables. `missing` has an error for each table whose name looks like a missing
 * file.
 */
export interface FileTables {
  readonly files: readonly FileTable[];
  readonly missing: ReadonlyMap<string, unknown>;
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

/** Maximum number of existing names that are compared with the name of a missing file, to suggest names. */
const maxNames = 1_000;

/** The only directory whose files are imported. */
export class ImportDirectory {
  readonly #root: string;

  /** `root` is an absolute path without symlinks. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Imports a file. Throws if `path` is outside of the directory, no regular file, or of an unknown format.
   */
  async import(
    database: Database,
    { path, ...request }: { readonly path: string } & Omit<ImportRequest, keyof SourcePath>,
    onProgress: (progress: ImportProgress) => void,
    options?: RunOptions,
  ): Promise<ImportResult> {
    return database.import({ ...(await this.#resolve(path)), ...request }, onProgress, options);
  }

  /**
   * Finds the files that statements name as tables, in double quotes, brackets or backticks. The result has
   * an error for a name that looks like a file but cannot be imported.
   */
  async tablesIn(sqls: readonly string[]): Promise<FileTables> {
    const files: FileTable[] = [];
    const missing = new Map<string, unknown>();
    for (const name of quotedNames(sqls)) {
      if (formats[extname(name).toLowerCase()] === undefined) continue;
      try {
        const { file, format } = await this.#resolve(name);
        const { size, mtimeMs, ino } = await lstat(file);
        files.push({ name, file, format, version: `${size}.${mtimeMs}.${ino}` });
      } catch (error) {
        missing.set(name, error);
      }
    }
    return { files, missing };
  }

  async #resolve(path: string): Promise<SourcePath> {
    if (path.includes('\0')) throw new Refused('path contains a NUL character');
    const requested = resolve(isAbsolute(path) ? path : join(this.#root, path));
    const directory = await realpath(dirname(requested)).catch(() => undefined);
    if (directory === undefined) throw await this.#directoryNotFound(path, requested);
    if (!contains(this.#root, directory)) {
      throw new Refused(`Outside the import directory: "${path}"`, `Files are imported from ${this.#root}`);
    }
    const file = join(directory, basename(requested));
    const stat = await lstat(file).catch(() => undefined);
    if (!stat) {
      const entries = await entriesIn(directory);
      throw notFound(
        'file',
        path,
        entries.map(({ name }) => name),
      );
    }
    // The process that opens the file checks the opened file again, because the file can change until then.
    if (!stat.isFile()) {
      const hint = stat.isSymbolicLink() ? 'Symlinks are not followed' : undefined;
      throw new Refused(`Not a regular file: "${path}"`, hint);
    }
    const format = formats[extname(file).toLowerCase()];
    if (format) return { file, format };
    throw new Refused(
      `Unknown format: "${path}"; expected a name that ends with ${Object.keys(formats).join(', ')}`,
    );
  }

  /** The error about a missing directory. It suggests similar ones that are in the import directory. */
  async #directoryNotFound(path: string, requested: string): Promise<DatabaseError> {
    const missing = dirname(requested);
    const parent = await realpath(dirname(missing)).catch(() => undefined);
    const isAllowed = parent !== undefined && contains(this.#root, parent);
    const siblings = isAllowed ? await entriesIn(parent) : [];
    const names = siblings.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return notFound('directory', dirname(path), names);
  }
}

async function entriesIn(directory: string): Promise<readonly Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.slice(0, maxNames);
}

/** The error about a missing path. It suggests similar names in the same directory. */
function notFound(kind: string, path: string, names: readonly string[]): DatabaseError {
  const near = closestNames(basename(path), names).map((name) => join(dirname(path), name));
  return new DatabaseError({ message: `No such ${kind}: "${path}"`, near });
}
