import type { Stats } from 'node:fs';
import { codeOf } from '@mcp/kit';
import type { EntryLocation } from '../access/entry-location.ts';
import type { KeptChange } from '../keep/kept-change.ts';
import type { KeptItem } from '../keep/kept-record.ts';
import { createInPlace, overwriteInPlace, type InPlaceReason } from './overwrite-in-place.ts';
import { AccessControlLost, AppendOnlyDirectory, StagedFile, type NewContent } from './staged-file.ts';
import type { WriteContext } from './write-context.ts';

/** The reason why a file was overwritten in place; false if the file was replaced. */
export type InPlace = InPlaceReason | false;

/**
 * Error codes after which the file itself may still be writable: no temporary file can be created beside the
 * file, or the file is a mount point, onto which no file can be renamed.
 */
const cannotReplace = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

/** A file that is to be kept before its replacement: as a copy (`copies`), or as a hard link. */
interface FileToKeep {
  readonly replacement: Replacement;
  readonly file: EntryLocation;
  readonly stats: Stats;
  readonly copies: boolean;
}

/** Replaces a file atomically; if that is not possible, overwrites it in place. */
export async function replaceFile(
  context: WriteContext,
  target: EntryLocation,
  content: NewContent,
): Promise<InPlace> {
  const replacement = await Replacement.prepare(context, target, content);
  await keepReplaced([replacement], content.kept);
  try {
    return await replacement.commit();
  } catch (error) {
    if (content.existing) await content.kept?.giveUpAfter(error, target, content.existing);
    throw error;
  }
}

/** Keeps the old content of the files to replace. If that fails, discards all replacements. */
export async function keepReplaced(
  replacements: readonly Replacement[],
  kept: KeptChange | undefined,
): Promise<void> {
  const old = kept ? replacements.flatMap((each) => each.toKeep() ?? []) : [];
  if (!kept || old.length === 0) return;
  try {
    const items = await kept.keepFiles(old);
    for (const [index, { replacement }] of old.entries()) replacement.kept = items[index];
  } catch (error) {
    for (const each of replacements) await each.discard().catch(() => {});
    throw error;
  }
}

/** A prepared replacement of one file, already on the disk, unless the file is overwritten in place. */
export class Replacement {
  readonly #context: WriteContext;
  readonly #target: EntryLocation;
  readonly #content: NewContent;
  #file: StagedFile | undefined;
  #inPlace: InPlace = false;
  /** The entry in the keep directory that has the old content; undefined if it is not kept. */
  kept: KeptItem | undefined;

  /** @param sameAs the replacement of another hard link to the same file */
  static async prepare(
    context: WriteContext,
    target: EntryLocation,
    content: NewContent,
    sameAs?: Replacement,
  ): Promise<Replacement> {
    const replacement = new Replacement(context, target, content);
    try {
      if (context.appendOnly.has(context.identityOf(target))) throw new AppendOnlyDirectory(undefined);
      const file = sameAs && sameAs.#file;
      const linked = file && StagedFile.link(file, target, content).catch(() => undefined);
      replacement.#file = (await linked) ?? (await StagedFile.write(context, target, content));
    } catch (error) {
      replacement.#inPlace = replacement.#reasonOf(error);
    }
    return replacement;
  }

  private constructor(context: WriteContext, target: EntryLocation, content: NewContent) {
    this.#context = context;
    this.#target = target;
    this.#content = content;
  }

  get inPlace(): InPlace {
    return this.#inPlace;
  }

  /**
   * Returns the old file, and whether it must be copied to be kept: it must if it is overwritten in place,
   * because a hard link would have the new content. Undefined for a new file.
   */
  toKeep(): FileToKeep | undefined {
    const { existing: stats } = this.#content;
    return stats && { replacement: this, file: this.#target, stats, copies: this.#inPlace !== false };
  }

  async commit(): Promise<InPlace> {
    try {
      await this.#file?.commit();
    } catch (error) {
      this.#inPlace = this.#reasonOf(error);
      if (this.kept) await this.#content.kept?.copyInstead(this.kept, this.#target);
    }
    if (this.#inPlace) await this.#overwrite();
    return this.#inPlace;
  }

  async discard(): Promise<void> {
    await this.#file?.discard();
  }

  #overwrite(): Promise<void> {
    const { existing, bytes, check } = this.#content;
    return existing ? overwriteInPlace(this.#target, bytes, check) : createInPlace(this.#target, bytes);
  }

  /**
   * Returns why the file must be overwritten in place after this error. Throws the error again if the file
   * cannot be written in place either, or if the error has another cause.
   */
  #reasonOf(error: unknown): InPlaceReason {
    if (error instanceof AccessControlLost) return 'access control';
    const isAppendOnly = error instanceof AppendOnlyDirectory;
    if (isAppendOnly) this.#context.appendOnly.add(this.#context.identityOf(this.#target));
    if (isAppendOnly || (this.#content.existing && cannotReplace.has(codeOf(error) ?? '')))
      return 'directory';
    throw error;
  }
}
