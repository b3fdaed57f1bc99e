import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { codeOf, escapeName, quoted } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { notFoundIn } from '../access/nearest-names.ts';
import { displayBytes } from '../display-name.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { bytePathOf, entriesOf, UndecodableNames } from '../traverse/directory-entries.ts';
import { toPathError, notUtf8 } from '../errors.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';
import { temporaryName } from '../replace/temporary-files.ts';
import type { KeptChange } from '../keep/kept-change.ts';
import type { WriteContext } from '../replace/write-context.ts';

export interface DeleteOptions {
  /** Delete a directory with its content. Default: false. */
  recursive?: boolean | undefined;
  /** Keeps the deleted entry, so that it can be restored. */
  kept?: KeptChange | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries deleted. */
  progress?: ((deleted: number) => void) | undefined;
}

export interface Deleted {
  /** The real path of the deleted entry. */
  readonly path: string;
  readonly kind: Kind;
  /** The number of entries deleted, including the one at `path`. */
  readonly count: number;
}

/** Deletes a file, a symlink (not its target), or a directory; with content only if `recursive` is true. */
export async function deletePath(
  context: WriteContext,
  requestedPath: string,
  options: DeleteOptions = {},
): Promise<Deleted> {
  const { allowed } = context;
  using entry = allowed.locateEntry(requestedPath);
  const { path, stats } = entry;
  try {
    if (!stats) throw notFoundIn(entry.parent, entry.name, requestedPath);
    allowed.refuseProtected(path, requestedPath);
    const kind = kindOf(stats);
    return await context.exclusively([entry], async () => {
      if (options.kept) return { path, kind, count: await take(allowed, entry, options) };
      if (kind !== 'directory') {
        unlinkSync(pathOf(entry));
        return { path, kind, count: 1 };
      }
      const deletion = new RecursiveDeletion(allowed, requestedPath, options);
      if (options.recursive) await deletion.emptyAll(path, requestedPath);
      deletion.directory(pathOf(entry), requestedPath);
      return { path, kind, count: deletion.count };
    });
  } catch (error) {
    throw explained(error, requestedPath);
  }
}

/** Moves an entry into the keep directory instead of deleting it; returns the number of its entries. */
async function take(
  allowed: AllowedDirectories,
  entry: EntryLocation,
  { kept, recursive, signal }: DeleteOptions,
): Promise<number> {
  const stats = lstatSync(pathOf(entry));
  if (stats.isDirectory() && !recursive && readdirSync(pathOf(entry)).length > 0)
    throw Object.assign(new Error('ENOTEMPTY'), { code: 'ENOTEMPTY' });
  return await kept!.take(allowed, entry, stats, signal);
}

function explained(error: unknown, requestedPath: string): Error {
  if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') return toPathError(error, requestedPath);
  return new Error(`Directory not empty; set recursive to delete its content too: ${quoted(requestedPath)}`);
}

/** Maximum bytes of a path: the kernel's 4,096 less room for a descriptor's path, which precedes it. */
const maxPathBytes = 3_800;

function shortened(shown: string): string {
  return shown.length <= 300 ? shown : `${shown.slice(0, 140)}…${shown.slice(-140)}`;
}

class RecursiveDeletion {
  count = 0;
  readonly #allowed: AllowedDirectories;
  readonly #requestedPath: string;
  readonly #slice: TimeSlice;
  #top: OpenedPath | undefined;
  readonly #postponed: { readonly name: string; readonly shown: string }[] = [];

  constructor(allowed: AllowedDirectories, requestedPath: string, { signal, progress }: DeleteOptions) {
    this.#allowed = allowed;
    this.#requestedPath = requestedPath;
    this.#slice = new TimeSlice(signal, () => progress?.(this.count));
  }

  /** Deletes the content of the top directory, including entries with longer paths than the system allows. */
  async emptyAll(path: string, shown: string): Promise<void> {
    using top = this.#open(path, shown);
    this.#top = top;
    await this.empty(path, shown);
    for (let next = this.#postponed.pop(); next; next = this.#postponed.pop()) {
      await this.empty(join(path, next.name), next.shown);
      this.directory(join(top.base, next.name), next.shown);
    }
  }

  /**
   * Deletes a directory's content. Opens a subdirectory only if its real path is still the given one, so that
   * no symlink is followed.
   */
  async empty(path: string, shown: string): Promise<void> {
    using directory = this.#open(path, shown);
    const entries: Dirent[] = [];
    for (const entry of entriesOf(directory)) {
      entries.push(entry);
      if (this.#slice.over) await this.#slice.pause();
    }
    const names = new UndecodableNames();
    for (const entry of entries) {
      const exact = names.take(directory, entry.name, kindOf(entry));
      const within = `${shown}/${exact ? displayBytes(exact) : escapeName(entry.name)}`;
      const target = bytePathOf(directory, entry.name, exact);
      if (entry.isDirectory()) {
        if (exact && !isUtf8(exact))
          throw this.#interrupted(new Error(`${notUtf8}: "${shortened(within)}"`), within);
        if (this.#tooLong(path, entry.name)) {
          this.#postpone(target, within);
          continue;
        }
        await this.empty(join(path, entry.name), within);
        this.directory(target, within);
      } else {
        this.#attempt(() => unlinkSync(target), within);
      }
      if (this.#slice.over) await this.#slice.pause();
    }
  }

  directory(path: string | Buffer, shown: string): void {
    this.#attempt(() => rmdirSync(path), shown);
  }

  #tooLong(path: string, name: string): boolean {
    return Buffer.byteLength(path) + Buffer.byteLength(name) > maxPathBytes;
  }

  /** Moves a directory whose path is too long into the top directory, where it is deleted later. */
  #postpone(path: string | Buffer, shown: string): void {
    const name = temporaryName();
    try {
      renameSync(path, join(this.#top!.base, name));
    } catch (error) {
      throw this.#interrupted(error, shown);
    }
    this.#postponed.push({ name, shown });
  }

  #open(path: string, shown: string): OpenedPath {
    try {
      return this.#allowed.openAt(path);
    } catch (error) {
      throw this.#interrupted(error, shown);
    }
  }

  #attempt(work: () => void, shown: string): void {
    try {
      work();
      this.count++;
    } catch (error) {
      throw this.#interrupted(error, shown);
    }
  }

  #interrupted(error: unknown, shown: string): unknown {
    if (this.count === 0 && shown === this.#requestedPath) return error;
    const { message } = toPathError(error, shown, 'directory');
    return new Error(`${message}; before that, ${this.count} files and directories were deleted`, {
      cause: error,
    });
  }
}
