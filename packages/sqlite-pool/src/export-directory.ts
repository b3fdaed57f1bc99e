import { rmSync } from 'node:fs';
import { type FileHandle, link, lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Refused } from './errors.ts';
import { deleteAbandoned, temporaryName } from './export-owner.ts';
import type { Backpressure, PieceSink } from './piece-sink.ts';

export interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Journals, WALs, their indexes, super-journals, and insights: a file of such a name may disable a database.
 */
const reservedName = /(?:-(?:journal|wal|shm|mj[0-9a-f]+)|\.insights\.jsonl)$/i;

/** Control characters, and those that reverse the direction of text, would disguise a new file. */
const notInNames = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Files that SQLite keeps beside a database while it writes to it. */
const journalSuffixes = ['-journal', '-wal', '-shm'];

/** Temporary files of exports in progress, which are deleted when the process exits. */
const temporaryFiles = new Set<string>();

function deleteTemporaryFiles(): void {
  for (const path of temporaryFiles) {
    for (const suffix of ['', ...journalSuffixes]) rmSync(`${path}${suffix}`, { force: true });
  }
}

/** The only directory in which exports are created. */
export class ExportDirectory {
  readonly #root: string;

  /** `root` is absolute and without symlinks. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Creates a file, which appears under its name only when it is complete: `fill` writes text to a temporary
   * one. Throws where the path is outside the directory, or exists.
   */
  async write(
    path: string,
    fill: (file: PieceSink<string, Backpressure>) => Promise<unknown>,
  ): Promise<ExportedFile> {
    return this.#create(path, async (file) => {
      let bytes = 0;
      let written: Promise<unknown> = Promise.resolve();
      try {
        await fill({
          write(text) {
            bytes += Buffer.byteLength(text);
            return (written = written.then(() => file.appendFile(text)));
          },
          restart() {
            bytes = 0;
            written = written.then(() => file.truncate());
            written.catch(() => {});
          },
        });
      } finally {
        await written.catch(() => {});
      }
      await written;
      return bytes;
    });
  }

  /**
   * The same for a file that another process writes: `fill` gets the path of the temporary file,
   * and returns the permissions of the new one.
   */
  async writeByPath(path: string, fill: (temporary: string) => Promise<number>): Promise<ExportedFile> {
    return this.#create(path, async (file, temporary) => {
      await file.chmod(0o600);
      const mode = await fill(temporary);
      const [opened, named] = [await file.stat(), await lstat(temporary)];
      if (opened.ino !== named.ino || opened.dev !== named.dev) {
        throw new Refused(`The directory was replaced during the export: "${path}"`);
      }
      await file.chmod(mode);
      return opened.size;
    });
  }

  async #create(
    path: string,
    fill: (file: FileHandle, temporary: string) => Promise<number>,
  ): Promise<ExportedFile> {
    const target = await this.#resolveNew(path);
    await deleteAbandoned(dirname(target));
    const temporary = join(dirname(target), temporaryName(basename(target)));
    if (temporaryFiles.size === 0) process.once('exit', deleteTemporaryFiles);
    temporaryFiles.add(temporary);
    const file = await open(temporary, 'ax').catch((error: unknown) => {
      temporaryFiles.delete(temporary);
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENAMETOOLONG') throw new Refused(`File name too long: "${path}"`);
      throw error;
    });
    try {
      // The directory may have been replaced by a symlink meanwhile.
      await this.#resolveNew(path);
      const bytes = await fill(file, temporary);
      await file.close();
      await this.#resolveNew(path);
      await publish(temporary, target);
      return { path: target, bytes };
    } finally {
      await file.close();
      for (const suffix of ['', ...journalSuffixes]) await rm(`${temporary}${suffix}`, { force: true });
      temporaryFiles.delete(temporary);
      if (temporaryFiles.size === 0) process.off('exit', deleteTemporaryFiles);
    }
  }

  /** The absolute path of a file that does not exist yet, symlinks in its directory resolved. */
  async #resolveNew(path: string): Promise<string> {
    if (notInNames.test(path) || !path.isWellFormed()) {
      throw new Refused('path contains a control character or a lone surrogate');
    }
    if (reservedName.test(basename(path))) {
      throw new Refused(
        `Reserved file name: "${path}"`,
        'SQLite or this server uses such a file beside a database',
      );
    }
    const requested = isAbsolute(path) ? path : join(this.#root, path);
    if (/[\\/]$/.test(path) || path === '' || basename(requested) === '..')
      throw new Refused(`Invalid path: "${path}"; expected a file name`);
    const directory = await realpath(dirname(resolve(requested))).catch(() => undefined);
    if (directory === undefined) throw new Refused(`No such directory: "${dirname(path)}"`);
    const fromRoot = relative(this.#root, directory);
    if (fromRoot === '..' || fromRoot.startsWith(`..${sep}`) || isAbsolute(fromRoot)) {
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

/** Gives the file its name. Throws where another process has taken it meanwhile. */
async function publish(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new Refused(`File exists: "${target}"`);
    throw error;
  }
}
