import { lstatSync, type BigIntStats, type Stats } from 'node:fs';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { toPathError } from '../errors.ts';
import { Backup, noteAppendOnly } from './backup.ts';
import { refuseChanged } from './change-file.ts';
import { overwriteInPlace } from './overwrite-in-place.ts';
import { FileChange, pathOf, replaceFile, type InPlace } from './replace-file.ts';
import type { WriteContext } from './write-context.ts';

export interface FileToReplace {
  readonly requestedPath: string;
  readonly target: EntryLocation;
  readonly existing: Stats;
  /** The content from which the new content was made, and the stats of the file at that time. */
  readonly before: Buffer;
  readonly stats: BigIntStats;
  readonly after: Buffer;
}

export interface ReplaceFilesOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of files replaced. */
  progress?: ((done: number) => void) | undefined;
}

/** Replaces all files or none; returns, for each, whether it was overwritten in place. */
export async function replaceFiles(
  context: WriteContext,
  files: readonly FileToReplace[],
  options: ReplaceFilesOptions = {},
): Promise<InPlace[]> {
  await using transaction = new Transaction(context, options);
  return await transaction.run(files);
}

/** The reason why files were not replaced. The message begins with the files that could not be restored. */
export class ReplacingFailed extends Error {
  override name = 'ReplacingFailed';

  constructor(state: string, cause: unknown) {
    super(`${state} ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

interface Done {
  readonly file: FileToReplace;
  /** The stats of the new file; undefined where they cannot be read. */
  readonly stats: BigIntStats | undefined;
  readonly inPlace: InPlace;
  readonly backup: Backup | undefined;
}

/**
 * Writes all new files before the first of them takes the place of an old one, so that a full disk changes
 * nothing. Each old file keeps a second name until the end, so that it can be restored unchanged.
 */
class Transaction implements AsyncDisposable {
  readonly #context: WriteContext;
  readonly #options: ReplaceFilesOptions;
  readonly #waiting = new Map<FileToReplace, FileChange>();
  readonly #done = new Map<FileToReplace, Done>();
  /** Files that were overwritten in place, by their identity: their other names have the new content too. */
  readonly #overwritten = new Map<string, InPlace>();
  /** The first name of each file, by its identity. */
  readonly #firstNames = new Map<string, FileToReplace>();
  readonly #seenDirectories = new Set<string>();

  constructor(context: WriteContext, options: ReplaceFilesOptions) {
    this.#context = context;
    this.#options = options;
  }

  async run(files: readonly FileToReplace[]): Promise<InPlace[]> {
    try {
      for (const file of files) await this.#step(file, () => this.#prepare(file));
      // Overwriting may need more space, so it is done first.
      const inOrder = [...this.#waiting].sort(([, a], [, b]) => Number(!a.inPlace) - Number(!b.inPlace));
      for (const [file, change] of inOrder) await this.#step(file, () => this.#commit(file, change));
      return files.map((file) => this.#overwritten.get(identityOf(file)) ?? this.#done.get(file)!.inPlace);
    } catch (error) {
      throw new ReplacingFailed(await this.#restoreAll(), error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const change of this.#waiting.values()) await change.discard().catch(() => {});
    await Promise.all([...this.#done.values()].map(async ({ backup }) => backup?.delete()));
  }

  async #step(file: FileToReplace, step: () => Promise<void>): Promise<void> {
    this.#options.signal?.throwIfAborted();
    try {
      await step();
    } catch (error) {
      throw toPathError(error, file.requestedPath);
    }
  }

  async #prepare(file: FileToReplace): Promise<void> {
    const { target, existing, after, stats, requestedPath } = file;
    const directory = this.#context.identityOf(target);
    if (!this.#seenDirectories.has(directory)) noteAppendOnly(this.#context, target);
    this.#seenDirectories.add(directory);
    const first = this.#waiting.get(this.#firstName(file));
    // The file is overwritten through its first name.
    if (first?.inPlace) return;
    const check = () => refuseChanged(target, stats, requestedPath);
    const replacement = { bytes: after, existing, check };
    this.#waiting.set(file, await FileChange.prepare(this.#context, target, replacement, first));
  }

  async #commit(file: FileToReplace, change: FileChange): Promise<void> {
    if (this.#overwritten.has(identityOf(file))) {
      this.#waiting.delete(file);
      return change.discard();
    }
    const backup = change.inPlace ? undefined : await Backup.create(file.target, file.existing);
    this.#waiting.delete(file);
    let inPlace: InPlace;
    try {
      inPlace = await change.commit();
    } catch (error) {
      await backup?.delete();
      throw error;
    }
    if (inPlace) this.#overwritten.set(identityOf(file), inPlace);
    // Noted first, so that the file is restored where this fails.
    this.#done.set(file, { file, stats: undefined, inPlace, backup });
    const stats = lstatSync(pathOf(file.target), { bigint: true });
    this.#done.set(file, { file, stats, inPlace, backup });
    this.#options.progress?.(this.#done.size);
  }

  #firstName(file: FileToReplace): FileToReplace {
    const identity = identityOf(file);
    const first = this.#firstNames.get(identity) ?? file;
    this.#firstNames.set(identity, first);
    return first;
  }

  /** Restores the replaced files, and names those that could not be restored. */
  async #restoreAll(): Promise<string> {
    const kept: string[] = [];
    for (const done of [...this.#done.values()].reverse())
      if (!(await this.#restore(done))) kept.push(quoted(done.file.requestedPath));
    if (kept.length === 0) return 'Nothing was changed.';
    return `All files but these were restored: ${kept.join(', ')}.`;
  }

  async #restore({ file, stats, inPlace, backup }: Done): Promise<boolean> {
    const { target, requestedPath, existing, before } = file;
    const check = () => stats && refuseChanged(target, stats, requestedPath);
    try {
      if (inPlace) await overwriteInPlace(target, before, check);
      else if (backup) {
        check();
        await backup.restore();
      } else await replaceFile(this.#context, target, { bytes: before, existing, check });
      return true;
    } catch {
      return false;
    }
  }
}

/** The identity that all names of a file share. */
function identityOf({ stats }: FileToReplace): string {
  return `${stats.dev}:${stats.ino}`;
}
