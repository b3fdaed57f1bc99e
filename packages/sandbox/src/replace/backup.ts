import { closeSync, link, openSync, rename, unlink, unlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { codeOf } from '../errors.ts';
import { pathOf } from './replace-file.ts';
import { registerTemporary, temporaryName } from './temporary-files.ts';
import type { WriteContext } from './write-context.ts';

const fs = { link: promisify(link), rename: promisify(rename), unlink: promisify(unlink) };

/**
 * A second name of a file that is about to be replaced: it is restored unchanged, with its other hard links.
 */
export class Backup {
  readonly #target: EntryLocation;
  readonly #path: string;
  readonly #registration: Disposable;

  /** Undefined if the file cannot get a second name, or would keep it. */
  static async create(target: EntryLocation, existing: Stats): Promise<Backup | undefined> {
    if (!mayDelete(target, existing)) return undefined;
    const backup = new Backup(target, temporaryName());
    try {
      await fs.link(pathOf(target), backup.#path);
      return backup;
    } catch {
      backup.#registration[Symbol.dispose]();
      return undefined;
    }
  }

  private constructor(target: EntryLocation, name: string) {
    this.#target = target;
    this.#path = join(target.parent.base, name);
    this.#registration = registerTemporary(join(target.parent.path, name));
  }

  async restore(): Promise<void> {
    await fs.rename(this.#path, pathOf(this.#target));
  }

  async delete(): Promise<void> {
    await fs.unlink(this.#path).catch(() => {});
    this.#registration[Symbol.dispose]();
  }
}

/** In a sticky directory, such as /tmp, only the owner of a file or of the directory deletes it. */
function mayDelete({ parent }: EntryLocation, { uid }: Stats): boolean {
  const user = process.geteuid?.() ?? 0;
  return (parent.stats.mode & 0o1000) === 0 || [0, uid, parent.stats.uid].includes(user);
}

/**
 * Notes whether the directory of an entry is append-only, before a file is created there that
 * must be deleted again.
 */
export function noteAppendOnly(context: WriteContext, target: EntryLocation): void {
  // Each attempt leaves a file there.
  if (context.appendOnly.has(context.identityOf(target))) return;
  const name = temporaryName();
  using _ = registerTemporary(join(target.parent.path, name));
  const path = join(target.parent.base, name);
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // Nothing can be created there.
    return;
  }
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) === 'EPERM') context.appendOnly.add(context.identityOf(target));
  }
}
