import { join } from 'node:path';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { codeOf } from '../errors.ts';
import { createInPlace, overwriteInPlace, type InPlaceReason } from './overwrite-in-place.ts';
import {
  AccessControlLost,
  AppendOnlyDirectory,
  PreparedReplacement,
  type Replacement,
} from './prepared-replacement.ts';
import type { WriteContext } from './write-context.ts';

/** Whether a file was overwritten in place, and why. */
export type InPlace = InPlaceReason | false;

/**
 * Errors of creating a temporary file beside one that may itself be writable, and of
 * renaming onto a mount point.
 */
const cannotReplace = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

/** Replaces a file atomically; where that is not possible, overwrites it. */
export async function replaceFile(
  context: WriteContext,
  target: EntryLocation,
  replacement: Replacement,
): Promise<{ inPlace: InPlace }> {
  const change = await FileChange.prepare(context, target, replacement);
  return { inPlace: await change.commit() };
}

/** The change of one file: all that needs space is written, unless the file must be overwritten in place. */
export class FileChange {
  readonly #context: WriteContext;
  readonly #target: EntryLocation;
  readonly #replacement: Replacement;
  #file: PreparedReplacement | undefined;
  #inPlace: InPlace = false;

  /** @param sameAs the change of another hard link to the same file */
  static async prepare(
    context: WriteContext,
    target: EntryLocation,
    replacement: Replacement,
    sameAs?: FileChange,
  ): Promise<FileChange> {
    const change = new FileChange(context, target, replacement);
    try {
      if (context.appendOnly.has(context.identityOf(target))) throw new AppendOnlyDirectory(undefined);
      const file = sameAs && sameAs.#file;
      const linked = file && PreparedReplacement.link(file, target, replacement).catch(() => undefined);
      change.#file = (await linked) ?? (await PreparedReplacement.write(context, target, replacement));
    } catch (error) {
      change.#inPlace = change.#reasonOf(error);
    }
    return change;
  }

  private constructor(context: WriteContext, target: EntryLocation, replacement: Replacement) {
    this.#context = context;
    this.#target = target;
    this.#replacement = replacement;
  }

  get inPlace(): InPlace {
    return this.#inPlace;
  }

  async commit(): Promise<InPlace> {
    try {
      await this.#file?.commit();
    } catch (error) {
      this.#inPlace = this.#reasonOf(error);
    }
    if (this.#inPlace) await this.#overwrite();
    return this.#inPlace;
  }

  async discard(): Promise<void> {
    await this.#file?.discard();
  }

  #overwrite(): Promise<void> {
    const { existing, bytes, check } = this.#replacement;
    return existing ? overwriteInPlace(this.#target, bytes, check) : createInPlace(this.#target, bytes);
  }

  /** The reason for which the file must be overwritten after this failure; throws other failures. */
  #reasonOf(error: unknown): InPlaceReason {
    if (error instanceof AccessControlLost) return 'access control';
    const isAppendOnly = error instanceof AppendOnlyDirectory;
    if (isAppendOnly) this.#context.appendOnly.add(this.#context.identityOf(this.#target));
    if (isAppendOnly || (this.#replacement.existing && cannotReplace.has(codeOf(error) ?? '')))
      return 'directory';
    throw error;
  }
}

/** The path through which an entry of an open directory is reached. */
export function pathOf({ parent, name }: EntryLocation): string {
  return join(parent.base, name);
}
