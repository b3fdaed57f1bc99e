import { closeSync, openSync, unlinkSync, type Stats } from 'node:fs';
import { codeOf } from '@mcp/kit';
import { renameOnto } from '@mcp/kit/node';
import * as fs from '../promised-fs.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { TemporaryFile } from './temporary-files.ts';
import type { WriteContext } from './write-context.ts';

/** A hard link to a file that is about to be replaced, to bring back the same file with its other links. */
export class Backup {
  readonly #target: EntryLocation;
  readonly #file: TemporaryFile;

  /** Makes the hard link; undefined if that is not possible, or if it could not be deleted later. */
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
 * Whether this process may delete a file. In a sticky directory, only root, the owner of the file and the
 * owner of the directory may.
 */
function mayDelete({ parent }: EntryLocation, { uid }: Stats): boolean {
  const user = process.geteuid?.() ?? 0;
  return (parent.stats.mode & 0o1000) === 0 || [0, uid, parent.stats.uid].includes(user);
}

/** Tests if files in an entry's directory can be deleted; notes an append-only directory in the context. */
export function noteAppendOnly(context: WriteContext, target: EntryLocation): void {
  // Does not repeat the test, because each leaves a file in an append-only directory.
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
