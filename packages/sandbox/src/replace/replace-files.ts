import { lstatSync, type BigIntStats, type Stats } from 'node:fs';
import { messageOf, quoted } from '@mcp/kit';
import { pathOf } from '../access/entry-location.ts';
import { toPathError } from '../errors.ts';
import { Backup, noteAppendOnly } from './backup.ts';
import type { FileChange } from './file-change.ts';
import { overwriteInPlace } from './overwrite-in-place.ts';
import type { KeptChange } from '../keep/kept-change.ts';
import { keepReplaced, Replacement, type InPlace } from './replace-file.ts';
import type { WriteContext } from './write-context.ts';

export interface FileToReplace {
  readonly file: FileChange;
  readonly existing: Stats;
  /** The content and stats when the file was read (`before`, `stats`), and the new content. */
  readonly before: Buffer;
  readonly stats: BigIntStats;
  readonly after: Buffer;
}

export interface ReplaceFilesOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of files replaced. */
  progress?: ((done: number) => void) | undefined;
  /** Keeps the old content of the replaced files, so that it can be restored. */
  kept?: KeptChange | undefined;
}

/** Replaces all files or none. Returns for each file why it was overwritten in place, or false. */
export async function replaceFiles(
  context: WriteContext,
  files: readonly FileToReplace[],
  options: ReplaceFilesOptions = {},
): Promise<InPlace[]> {
  const [only, ...others] = files;
  if (only && others.length === 0) {
    const { file, existing, after, stats } = only;
    const { kept } = options;
    const content = { bytes: after, existing, check: () => file.refuseChanged(stats), kept };
    const inPlace = await file.replace(content).catch((error) => {
      throw toPathError(error, file.requestedPath);
    });
    options.progress?.(1);
    return [inPlace];
  }
  await using transaction = new Transaction(context, options);
  return await transaction.run(files);
}

/**
 * The error for files that could not be replaced. Its message begins by naming the files, if any, whose old
 * content could not be restored.
 */
export class ReplacingFailed extends Error {
  override name = 'ReplacingFailed';

  constructor(state: string, cause: unknown) {
    super(`${state} ${messageOf(cause)}`, { cause });
  }
}

interface Done {
  readonly replaced: FileToReplace;
  /** The stats of the new file; undefined if it cannot be read. */
  readonly stats: BigIntStats | undefined;
  readonly inPlace: InPlace;
  readonly backup: Backup | undefined;
}

/**
 * Writes all new files under temporary names before the first of them is renamed, so that a full disk changes
 * nothing. Each old file keeps a second name until the end, by which it can be restored unchanged.
 */
class Transaction implements AsyncDisposable {
  readonly #context: WriteContext;
  readonly #options: ReplaceFilesOptions;
  readonly #waiting = new Map<FileToReplace, Replacement>();
  readonly #done = new Map<FileToReplace, Done>();
  /** Files overwritten in place, by identity. Their other hard links have the new content, too. */
  readonly #overwritten = new Map<string, InPlace>();
  /** For each identity of a file, the first of its names (hard links) that is to be replaced. */
  readonly #firstNames = new Map<string, FileToReplace>();
  readonly #seenDirectories = new Set<string>();

  constructor(context: WriteContext, options: ReplaceFilesOptions) {
    this.#context = context;
    this.#options = options;
  }

  async run(files: readonly FileToReplace[]): Promise<InPlace[]> {
    try {
      for (const each of files) await this.#step(each, () => this.#prepare(each));
      await keepReplaced([...this.#waiting.values()], this.#options.kept);
      // Files that must be overwritten in place come first, because overwriting may need more space and fail.
      const inOrder = [...this.#waiting].sort(([, a], [, b]) => Number(!a.inPlace) - Number(!b.inPlace));
      for (const [each, change] of inOrder) await this.#step(each, () => this.#commit(each, change));
      return files.map((each) => this.#overwritten.get(identityOf(each)) ?? this.#done.get(each)!.inPlace);
    } catch (error) {
      const left = await this.#restoreAll();
      const restored = files.filter((each) => !left.includes(each));
      await this.#options.kept?.giveUp(restored.map(({ file }) => file.path));
      const names = left.map(({ file }) => quoted(file.requestedPath)).join(', ');
      const state = names
        ? `These files could not be restored: ${names}; all others were.`
        : 'Nothing was changed.';
      throw new ReplacingFailed(state, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const change of this.#waiting.values()) await change.discard().catch(() => {});
    await Promise.all([...this.#done.values()].map(async ({ backup }) => backup?.delete()));
  }

  async #step({ file }: FileToReplace, step: () => Promise<void>): Promise<void> {
    this.#options.signal?.throwIfAborted();
    try {
      await step();
    } catch (error) {
      throw toPathError(error, file.requestedPath);
    }
  }

  async #prepare(each: FileToReplace): Promise<void> {
    const { file, existing, after, stats } = each;
    const directory = this.#context.identityOf(file);
    if (!this.#seenDirectories.has(directory)) noteAppendOnly(this.#context, file);
    this.#seenDirectories.add(directory);
    const first = this.#waiting.get(this.#firstName(each));
    // This name is a hard link to a file that is overwritten under its first name, so nothing is left to do.
    if (first?.inPlace) return;
    const { kept } = this.#options;
    const content = { bytes: after, existing, check: () => file.refuseChanged(stats), kept };
    this.#waiting.set(each, await Replacement.prepare(this.#context, file, content, first));
  }

  async #commit(each: FileToReplace, change: Replacement): Promise<void> {
    if (this.#overwritten.has(identityOf(each))) {
      this.#waiting.delete(each);
      return change.discard();
    }
    const backup = change.inPlace ? undefined : await Backup.create(each.file, each.existing);
    this.#waiting.delete(each);
    let inPlace: InPlace;
    try {
      inPlace = await change.commit();
    } catch (error) {
      await backup?.delete();
      throw error;
    }
    if (inPlace) this.#overwritten.set(identityOf(each), inPlace);
    // The file is recorded before `lstat`, so that it is restored if `lstat` fails.
    this.#done.set(each, { replaced: each, stats: undefined, inPlace, backup });
    const stats = lstatSync(pathOf(each.file), { bigint: true });
    this.#done.set(each, { replaced: each, stats, inPlace, backup });
    this.#options.progress?.(this.#done.size);
  }

  #firstName(each: FileToReplace): FileToReplace {
    const identity = identityOf(each);
    const first = this.#firstNames.get(identity) ?? each;
    this.#firstNames.set(identity, first);
    return first;
  }

  /** Restores the replaced files. Returns the files that could not be restored. */
  async #restoreAll(): Promise<FileToReplace[]> {
    const left: FileToReplace[] = [];
    for (const done of [...this.#done.values()].reverse())
      if (!(await this.#restore(done))) left.push(done.replaced);
    return left;
  }

  async #restore({ replaced, stats, inPlace, backup }: Done): Promise<boolean> {
    const { file, existing, before } = replaced;
    const check = () => stats && file.refuseChanged(stats);
    try {
      if (inPlace) await overwriteInPlace(file, before, check);
      else if (backup) {
        check();
        await backup.restore();
      } else await file.replace({ bytes: before, existing, check });
      return true;
    } catch {
      return false;
    }
  }
}

/** The identity of a file, which all its names share. */
function identityOf({ stats }: FileToReplace): string {
  return `${stats.dev}:${stats.ino}`;
}
