import {
  lstatSync,
  linkSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  type Stats,
} from 'node:fs';
import { codeOf, quoted } from '@mcp/kit';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { Conflict, reasonOf } from '../errors.ts';
import { kindOf } from '../file-kind.ts';
import { copyWithAttributes, type AttributeCopier } from './copy-with-attributes.ts';
import type { KeepDirectory } from './keep-directory.ts';
import { measureTree } from './measure-tree.ts';
import type { KeptItem } from './kept-record.ts';

/** Each item counts as at least this many bytes, so that many small files are bounded too. */
const minItemBytes = 4096;

/** The errors of `link` that mean that no hard link is possible: then a copy is made instead. */
const cannotLink = new Set([
  'EXDEV',
  'EPERM',
  'EACCES',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EISDIR',
]);

/** The error for a change that was not made, because the old content cannot be kept. */
export class NotKept extends Error {
  override name = 'NotKept';
}

/** The old content of what one change replaces or deletes. Its directory is created with the first entry. */
export class KeptChange {
  readonly #keep: KeepDirectory;
  readonly #what: string;
  readonly #attributes: AttributeCopier;
  readonly #items = new Map<string, KeptItem>();
  #id: string | undefined;
  #next = 0;

  /** @param what a name for the change, which lists of kept changes show */
  constructor(keep: KeepDirectory, what: string, attributes: AttributeCopier) {
    this.#keep = keep;
    this.#what = what;
    this.#attributes = attributes;
  }

  /** The id that restores the change; undefined if it keeps nothing. */
  get id(): string | undefined {
    return this.#items.size > 0 ? this.#id : undefined;
  }

  /**
   * Keeps the files that are about to be replaced, by a hard link to each. A file that will be written in
   * place, or that has other hard links, is copied instead, because a further link would show its later
   * changes.
   */
  async keepFiles(
    files: readonly { readonly file: EntryLocation; readonly stats: Stats; readonly copies: boolean }[],
  ) {
    const items = files.map(({ file, stats }) => this.#itemOf(file, stats, stats.size));
    await this.#record(items, files[0]?.file.path ?? '');
    for (const [index, { file, stats, copies }] of files.entries()) {
      const item = items[index]!;
      await this.#attempt([item], file.path, () =>
        copies || stats.nlink > 1 ? this.#copy(file, item) : this.#linkOrCopy(file, item),
      );
    }
    if (this.#id !== undefined) this.#keep.sync(this.#id);
    return items;
  }

  /**
   * Keeps a file by a copy instead of the hard link of `keepFiles`: the file will now be written in place,
   * and the link would show its new content.
   */
  async copyInstead(item: KeptItem, file: EntryLocation): Promise<void> {
    unlinkSync(this.#pathOf(item));
    await this.#attempt([item], file.path, () => this.#copy(file, item));
  }

  /** Moves an entry into the keep directory. */
  async take(
    allowed: AllowedDirectories,
    entry: EntryLocation,
    stats: Stats,
    signal?: AbortSignal,
  ): Promise<number> {
    const kind = kindOf(stats);
    const { bytes, count } =
      kind === 'directory'
        ? await this.#measured(allowed, entry, signal)
        : { bytes: kind === 'file' ? stats.size : 0, count: 1 };
    const item = this.#itemOf(entry, stats, bytes);
    await this.#record([item], entry.path);
    await this.#attempt([item], entry.path, async () => {
      try {
        renameSync(pathOf(entry), this.#pathOf(item));
      } catch (error) {
        if (codeOf(error) !== 'EXDEV') throw error;
        if (kind === 'file') await this.#copy(entry, item);
        else if (kind === 'symlink') symlinkSync(readlinkSync(pathOf(entry), 'buffer'), this.#pathOf(item));
        else throw new NotKept(`a ${kind} on another file system cannot be kept`, { cause: error });
        this.#keep.sync(this.#id!);
        unlinkSync(pathOf(entry));
      }
    });
    return count;
  }

  /** Records that nothing was at a path before the change. */
  async noteAbsent(entry: Pick<EntryLocation, 'path'>): Promise<void> {
    await this.#record([this.#newItem({ path: entry.path, was: 'absent', bytes: 0 })], entry.path);
  }

  /** Records the permissions of a file before they change. */
  async noteMode(entry: Pick<EntryLocation, 'path'>, mode: number): Promise<void> {
    await this.#record([this.#newItem({ path: entry.path, was: 'mode', bytes: 0, mode })], entry.path);
  }

  /** Deletes all that was kept, because nothing was changed. */
  async discard(): Promise<void> {
    this.#items.clear();
    if (this.#id !== undefined) await this.#keep.forget(this.#id);
    this.#id = undefined;
  }

  /** For each path, deletes what was kept of it last, because the path was not changed after all. */
  async giveUp(paths: readonly string[]): Promise<void> {
    const items = [...this.#items.values()];
    await this.#giveUp(paths.flatMap((path) => items.findLast((each) => each.path === path) ?? []));
  }

  /**
   * Deletes the copy that was made of a file before a change, after this change has failed. The copy stays if
   * the file has changed all the same: it was written in place, and then could not be saved to the disk.
   */
  async giveUpAfter(error: unknown, file: EntryLocation, { ino, size, mtimeMs }: Stats): Promise<void> {
    const now = lstatSync(pathOf(file), { throwIfNoEntry: false });
    const isUnchanged = now?.ino === ino && now.size === size && now.mtimeMs === mtimeMs;
    // After a `Conflict`, nothing was written, because another program had changed the file: what was kept of
    // it for an undo is not needed.
    if (isUnchanged || error instanceof Conflict) await this.giveUp([file.path]);
  }

  async #giveUp(items: readonly KeptItem[]): Promise<void> {
    if (items.length === this.#items.size) return await this.discard();
    for (const item of items) {
      this.#items.delete(item.name);
      rmSync(this.#pathOf(item), { force: true });
    }
    this.#keep.record(
      this.#id!,
      items.map(({ name }) => ({ given_up: name })),
    );
  }

  async #record(items: readonly KeptItem[], path: string): Promise<void> {
    if (items.length === 0) return;
    try {
      await this.#keep.makeRoom(
        items.reduce((sum, { bytes }) => sum + bytes, 0),
        this.#id,
      );
      const isNew = this.#id === undefined;
      this.#id ??= this.#keep.create();
      const head = isNew ? [{ what: this.#what, time: this.#keep.nextTime() }] : [];
      this.#keep.record(this.#id, [...head, ...items]);
      for (const item of items) this.#items.set(item.name, item);
    } catch (error) {
      if (this.#items.size === 0) await this.discard().catch(() => {});
      throw this.#notKept(error, path);
    }
  }

  async #attempt(items: readonly KeptItem[], path: string, step: () => void | Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      await this.#giveUp(items).catch(() => {});
      // These codes mean that the change itself failed, as it would without a keep directory, so the error is
      // thrown as it is.
      if (!(error instanceof NotKept) && ['ENOENT', 'EBUSY', 'ENOTEMPTY'].includes(codeOf(error) ?? ''))
        throw error;
      throw this.#notKept(error, path);
    }
  }

  async #measured(allowed: AllowedDirectories, entry: EntryLocation, signal: AbortSignal | undefined) {
    try {
      return await measureTree(allowed, entry.path, { maxBytes: this.#keep.maxBytes, minItemBytes, signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#notKept(error, entry.path);
    }
  }

  async #linkOrCopy(file: EntryLocation, item: KeptItem): Promise<void> {
    try {
      linkSync(pathOf(file), this.#pathOf(item));
    } catch (error) {
      if (!cannotLink.has(codeOf(error) ?? '')) throw error;
      await this.#copy(file, item);
    }
  }

  async #copy(file: EntryLocation, item: KeptItem): Promise<void> {
    await copyWithAttributes(pathOf(file), this.#pathOf(item), this.#attributes);
  }

  #itemOf({ path }: EntryLocation, stats: Stats, bytes: number): KeptItem {
    return this.#newItem({ path, was: kindOf(stats), bytes: Math.max(bytes, minItemBytes) });
  }

  #newItem(item: Omit<KeptItem, 'name'>): KeptItem {
    return { name: String(this.#next++), ...item };
  }

  #pathOf({ name }: KeptItem): string {
    return this.#keep.pathOf(this.#id!, name);
  }

  /** Returns the error for a change that was not made, because the old content cannot be kept. */
  #notKept(error: unknown, path: string): NotKept {
    const advice = this.#keep.advice === undefined ? '' : `; ${this.#keep.advice}`;
    const reason = `Not changed, because the old content cannot be kept: ${reasonOf(error)}${advice}`;
    return new NotKept(`${reason}: ${quoted(path)}`, { cause: error });
  }
}

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
