import { link, lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Refused } from './errors.ts';

export interface Exported {
  readonly path: string;
  readonly bytes: number;
}

/** A file that is being written. */
interface Unfinished {
  /** Adds to it. */
  put(text: string): Promise<unknown>;
  /** Takes away what is in it. */
  empty(): void;
}

/** The one directory in which exports may be put. */
export class ExportDirectory {
  readonly #root: string;

  /** `root` is its own path, with no link in it. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Writes a new file, which is there only once it is whole: `fill` hands over text, and waits for what that gives.
   * Throws where the path leads outside, or where something is there already.
   */
  async write(path: string, fill: (file: Unfinished) => Promise<unknown>): Promise<Exported> {
    const target = await this.#inside(path);
    const unfinished = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
    const file = await open(unfinished, 'ax');
    let bytes = 0;
    let written: Promise<unknown> = Promise.resolve();
    try {
      // The directory may have been replaced by a link since.
      await this.#inside(path);
      await fill({
        put(text) {
          bytes += Buffer.byteLength(text);
          return (written = written.then(() => file.appendFile(text)));
        },
        empty() {
          bytes = 0;
          written = written.then(() => file.truncate());
          written.catch(() => {});
        },
      });
      await written;
      await file.close();
      await this.#inside(path);
      await claim(unfinished, target);
      return { path: target, bytes };
    } finally {
      await written.catch(() => {});
      await file.close();
      await rm(unfinished, { force: true });
    }
  }

  /** The absolute path, with all links above the file itself followed. */
  async #inside(path: string): Promise<string> {
    if (path.includes('\0')) throw new Refused('A path holds no NUL character');
    const wanted = isAbsolute(path) ? path : join(this.#root, path);
    if (/[\\/]$/.test(path) || path === '' || basename(wanted) === '..')
      throw new Refused(`Not a file name: "${path}"`);
    const above = await realpath(dirname(resolve(wanted))).catch(() => undefined);
    if (above === undefined) throw new Refused(`No such directory: "${dirname(path)}"`);
    const within = relative(this.#root, above);
    if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)) {
      throw new Refused(`Outside the directory for exports: "${path}"`, `Exports are put into ${this.#root}`);
    }
    if (!(await stat(above)).isDirectory()) throw new Refused(`Not a directory: "${dirname(path)}"`);
    const target = join(above, basename(wanted));
    if (await lstat(target).catch(() => undefined)) {
      throw new Refused(
        `There is something at "${path}" already`,
        'Nothing is overwritten: choose another name',
      );
    }
    return target;
  }
}

/** Gives the file its name, unless somebody else has put something there meanwhile. */
async function claim(unfinished: string, target: string): Promise<void> {
  try {
    await link(unfinished, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new Refused(`There is something at "${target}" already`);
    throw error;
  }
}
