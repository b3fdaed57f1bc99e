import { closeSync, openSync, unlinkSync, type Stats } from 'node:fs';
import { codeOf } from '@mcp/kit';
import { renameOnto } from '@mcp/kit/node';
import * as fs from '../promised-fs.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { TemporaryFile } from './temporary-files.ts';
import type { WriteContext } from './write-context.ts';

/**
 * A second name (a hard link) for a file that is about to be replaced. Restoring the backup brings back the
 * same file, with its other hard links.
 */
export class Backup {
  readonly #target: EntryLocation;
  readonly #file: TemporaryFile;

  /**
   * Gives the file a second name. Undefined if this is not possible, or if the second name could not be
   * deleted later.
   */
  static async create(target: EntryLocation, existing: Stats): Promise<Backup | undefined> {
    if (!mayDelete(target, existing)) return undefined;
    const file = new TemporaryFile(target);
    try {
      await fs.link(pathOf(target), file.path);
      return new Backup(target, file);
    } catch {
      file[Symbol.dispose]();
      return undefined;
    }
  }

  private constructor(target: EntryLocation, file: TemporaryFile) {
    this.#target = target;
    this.#file = file;
  }

  async restore(): Promise<void> {
    await renameOnto(this.#file.path, pathOf(this.#target));
  }

  async delete(): Promise<void> {
    using file = this.#file;
    await fs.unlink(file.path).catch(() => {});
  }
}

/**
 * Whether this process may delete names of a file: in a sticky directory, such as /tmp, only root and the
 * owner of the file or of the directory may.
 */
function mayDelete({ parent }: EntryLocation, { uid }: Stats): boolean {
  const user = process.geteuid?.() ?? 0;
  return (parent.stats.mode & 0o1000) === 0 || [0, uid, parent.stats.uid].includes(user);
}

/**
 * Tests whether files in the directory of an entry can be deleted, and notes an append-only directory in the
 * context.
 */
export function noteAppendOnly(context: WriteContext, target: EntryLocation): void {
  // A directory known to be append-only is not tested again, because each test leaves a file in such a
  // directory.
  if (context.appendOnly.has(context.identityOf(target))) return;
  using file = new TemporaryFile(target);
  const { path } = file;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // No file can be created in this directory, so the test is not possible.
    return;
  }
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) === 'EPERM') context.appendOnly.add(context.identityOf(target));
  }
}
