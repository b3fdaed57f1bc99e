import { rmSync } from 'node:fs';
import { type FileHandle, link, lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { codeOf, reasonOf } from '@mcp/kit';
import { contains } from './contains.ts';
import type { Database, RunOptions } from './database.ts';
import type { BackupProgress } from './engine/backup-database.ts';
import type { Export } from './engine/export-rows.ts';
import { DatabaseError, Refused } from './errors.ts';
import { deleteAbandoned, temporaryName } from './export-owner.ts';

export interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Matches names that files beside a database have: SQLite's journals and WALs, and the insights of this
 * package. An export with such a name would be read as such a file, which could make a database unusable.
 */
const reservedName = /(?:-(?:journal|wal|shm|mj[0-9a-f]+)|\.insights\.jsonl)$/i;

/** Control characters, and characters that change the direction of text, could disguise a name. */
const notInNames = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** The suffixes of the files that SQLite creates beside a database while it writes to the database. */
const journalSuffixes = ['-journal', '-wal', '-shm'];

/** The temporary files of running exports. They are deleted when the process exits. */
const temporaryFiles = new Set<string>();

function deleteTemporaryFiles(): void {
  for (const path of temporaryFiles) {
    for (const suffix of ['', ...journalSuffixes]) rmSync(`${path}${suffix}`, { force: true });
  }
}

/** Writes the content of a file, which has the name `temporary`. Returns the number of bytes. */
type Fill = (file: FileHandle, temporary: string) => Promise<number>;

/** The only directory in which exports are created. */
export class ExportDirectory {
  readonly #root: string;

  /** `root` is an absolute path without symlinks. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Writes the rows of a query into a new file, which gets its name when it is complete. Throws if `path`
   * exists or is outside of the directory.
   */
  async exportRows(
    database: Database,
    { path, ...query }: { readonly path: string } & Export,
    onRows: (rows: number) => void,
    options?: RunOptions,
  ): Promise<ExportedFile & { readonly rows: number }> {
    let count = 0;
    const created = await this.#create(path, async (file) => {
      let bytes = 0;
      let written: Promise<unknown> = Promise.resolve();
      const sink = {
        write({ rows, text }: { readonly rows: number; readonly text: string }) {
          onRows(rows);
          bytes += Buffer.byteLength(text);
          return (written = written.then(() => file.appendFile(text)));
        },
        restart() {
          bytes = 0;
          written = written.then(() => file.truncate());
          written.catch(() => {});
        },
      };
      try {
        count = await database.export(query, sink, options);
      } finally {
        await written.catch(() => {});
      }
      await written;
      await file.datasync();
      return bytes;
    });
    return { ...created, rows: count };
  }

  /** Copies the database to a new file, which gets its name when it is complete. Throws like `exportRows`. */
  async backup(
    database: Database,
    path: string,
    onProgress: (progress: BackupProgress) => void,
    options?: RunOptions,
  ): Promise<ExportedFile> {
    return this.#create(path, async (file, temporary) => {
      await file.chmod(0o600);
      const mode = await database.backup(temporary, onProgress, options);
      const [opened, named] = [await file.stat(), await lstat(temporary)];
      if (opened.ino !== named.ino || opened.dev !== named.dev) {
        throw new Refused(`The directory was replaced during the export: "${path}"`);
      }
      await file.chmod(mode);
      return opened.size;
    });
  }

  async #create(path: string, fill: Fill): Promise<ExportedFile> {
    try {
      return await this.#createFile(path, fill);
    } catch (error) {
      // An error of the system names the temporary file, which the caller does not know.
      if (codeOf(error) === undefined || error instanceof DatabaseError) throw error;
      throw new Refused(`Cannot write "${path}": ${reasonOf(error)}`, 'Nothing was exported');
    }
  }

  async #createFile(path: string, fill: Fill): Promise<ExportedFile> {
    const target = await this.#resolveNew(path);
    await deleteAbandoned(dirname(target));
    const temporary = join(dirname(target), temporaryName(basename(target)));
    if (temporaryFiles.size === 0) process.once('exit', deleteTemporaryFiles);
    temporaryFiles.add(temporary);
    try {
      await using file = await open(temporary, 'ax').catch((error: unknown) => {
        throw codeOf(error) === 'ENAMETOOLONG' ? new Refused(`File name too long: "${path}"`) : error;
      });
      // The path is resolved again, because its directory may have been replaced by a symlink before the file
      // was opened.
      await this.#resolveNew(path);
      const bytes = await fill(file, temporary);
      await file.close();
      await this.#resolveNew(path);
      await publish(temporary, target);
      return { path: target, bytes };
    } finally {
      // A file that cannot be deleted stays; a later export deletes it.
      for (const suffix of ['', ...journalSuffixes])
        await rm(`${temporary}${suffix}`, { force: true }).catch(() => {});
      temporaryFiles.delete(temporary);
      if (temporaryFiles.size === 0) process.off('exit', deleteTemporaryFiles);
    }
  }

  /** Returns the absolute path of a new file, with symlinks resolved. Throws if the file exists. */
  async #resolveNew(path: string): Promise<string> {
    if (notInNames.test(path) || !path.isWellFormed()) {
      throw new Refused('path contains a control character or a lone surrogate');
    }
    if (reservedName.test(basename(path))) {
      throw new Refused(
        `Reserved file name: "${path}"`,
        'Files with such names belong to the database beside them; choose another name',
      );
    }
    const requested = isAbsolute(path) ? path : join(this.#root, path);
    if (/[\\/]$/.test(path) || path === '' || basename(requested) === '..')
      throw new Refused(`Invalid path: "${path}"; expected a file name`);
    const directory = await realpath(dirname(resolve(requested))).catch(() => undefined);
    if (directory === undefined) throw new Refused(`No such directory: "${dirname(path)}"`);
    if (!contains(this.#root, directory)) {
      throw new Refused(`Outside the export directory: "${path}"`, `Exports are created in ${this.#root}`);
    }
    if (!(await stat(directory)).isDirectory()) throw new Refused(`Not a directory: "${dirname(path)}"`);
    const target = join(directory, basename(requested));
    if (await lstat(target).catch(() => undefined)) {
      throw new Refused(`File exists: "${path}"`, 'Exports do not overwrite files: choose another name');
    }
    return target;
  }
}

/**
 * Gives the complete file its name. Throws if another process created a file of that name while the export
 * ran.
 */
async function publish(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Refused(`File exists: "${target}"`);
    throw error;
  }
}
