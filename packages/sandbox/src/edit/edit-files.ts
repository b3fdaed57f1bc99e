import type { Stats } from 'node:fs';
import { quoted } from '@mcp/kit';
import { CappedList } from '../capped-list.ts';
import { defaultMaxLength, unifiedDiff } from '../diff/unified-diff.ts';
import { Conflict, toPathError } from '../errors.ts';
import { sha256 } from '../sha256.ts';
import { TimeSlice } from '../time-slice.ts';
import type { UnreadablePath } from '../traverse/path-filter.ts';
import type { KeptChange } from '../keep/kept-change.ts';
import { FileChange } from '../replace/file-change.ts';
import type { InPlaceReason } from '../replace/overwrite-in-place.ts';
import { replaceFiles, ReplacingFailed } from '../replace/replace-files.ts';
import type { WriteContext } from '../replace/write-context.ts';
import type { AppliedEdit, Edit, Replaceable } from './edit.ts';
import { closestLinesInFiles } from './closest-lines-in-files.ts';
import { lineNumbersHint, withoutLineNumbers } from './line-numbers.ts';
import { isUndisturbed, planEdit, type EditPlan, type LeftAlone, type PlanOptions } from './plan-edit.ts';
import { RegexReplacer } from './regex-replacer.ts';
import { isReversed, oppositeOf } from './reversal.ts';

export interface EditOptions {
  /** Only compute the result, and write nothing. Default: false. */
  dryRun?: boolean | undefined;
  /**
   * The hash that a dry run returned or, for a single file, the SHA-256 of its content. Throws `Conflict` if
   * the present hash differs.
   */
  expectedHash?: string | undefined;
  /** The number of characters after which the diffs are cut; 0 makes no diffs. Default: 32 Ki. */
  maxDiff?: number | undefined;
  /** If several files are edited, skip those that cannot be read or are not text. Default: false. */
  isLenient?: boolean | undefined;
  /** Keeps the old content of the changed files, so that it can be restored. */
  kept?: KeptChange | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of files read, and later with that number plus the number of files written. */
  progress?: ((done: number) => void) | undefined;
}

export interface Edited extends Replaced {
  /** The changed files, sorted by path. A single edited file is listed even if nothing changes. */
  readonly files: readonly EditedFile[];
  readonly occurrences: number;
  /** Whether the content of a file is different after the edits. */
  readonly changed: boolean;
  /** Whether a file was written. */
  readonly written: boolean;
  /** The files in which no edit occurs. With `isLenient` they are not listed. */
  readonly unmatched: CappedList<string>;
  /** The files that were skipped because they cannot be edited, with the reason. */
  readonly skipped: CappedList<UnreadablePath>;
  readonly diff: string;
  /** Whether `diff` lacks files because it has reached `maxDiff`. */
  readonly isDiffCut: boolean;
  /**
   * Present with `dryRun` or `expectedHash`. For a single file, the SHA-256 of its present content; for
   * several files, a hash of their paths and of their contents before the edits.
   */
  readonly hash?: string;
  /** Whether the same edits with `oldText` and `newText` exchanged restore every file. */
  readonly isReversible: boolean;
}

export interface EditedFile {
  readonly path: string;
  readonly realPath: string;
  /** One element per edit; undefined if the edit does not occur in this file but in another one. */
  readonly applied: readonly (AppliedEdit | undefined)[];
  readonly occurrences: number;
}

/** A file that was overwritten in place instead of being replaced atomically, with the reason. */
export interface OverwrittenFile {
  readonly path: string;
  readonly reason: InPlaceReason;
}

interface Replaced {
  /** The number of other hard links of the replaced files, which still have the old content. */
  readonly detachedHardLinks: number;
  readonly inPlace: CappedList<OverwrittenFile>;
}

/** The maximum number of files to change: all are locked together, and each lock takes a descriptor. */
const maxChangedFiles = 1_000;
/** The maximum sum of sizes before and after the edits: both stay in memory, to restore all files. */
const maxHeldBytes = 64 * 1024 * 1024;

/** Returns the edits of the file at a requested path; each edit must occur in this file. */
export type EditsOf = (requestedPath: string) => readonly Edit[];

/**
 * Edits one text file or several: writes all files or none. Every byte outside the edits is kept. In a single
 * file every edit must occur; with several files, each edit must occur in at least one of them.
 */
export async function editFiles(
  context: WriteContext,
  requestedPaths: string | readonly string[],
  edits: readonly Edit[] | EditsOf,
  options: EditOptions = {},
): Promise<Edited> {
  const isOne = typeof requestedPaths === 'string';
  await using regex = new RegexReplacer(options.signal);
  using editing = new Editing(context, edits, { regex, isOne }, options);
  try {
    return await editing.run(isOne ? [requestedPaths] : requestedPaths);
  } catch (error) {
    if (isOne || error instanceof ReplacingFailed) throw error;
    options.signal?.throwIfAborted();
    throw new ReplacingFailed('Nothing was changed.', error);
  }
}

class Editing implements Disposable {
  readonly #context: WriteContext;
  readonly #options: EditOptions;
  readonly #plan: PlanOptions;
  readonly #editsOf: EditsOf;
  readonly #plans = new Map<string, EditPlan>();
  readonly #unmatched = new CappedList<string>();
  readonly #skipped = new CappedList<UnreadablePath>();
  /** The real paths of the files that were opened, so that a file named twice is edited once. */
  readonly #seen = new Set<string>();
  /** The open files in which edits occur; those of one directory share its descriptor. */
  readonly #open = new Set<FileChange>();
  readonly #directories = new Map<string, FileChange>();
  #heldBytes = 0;
  /** The edit that reverses all changes planned so far; undefined if no edit does. */
  #opposite: Replaceable | undefined;

  constructor(
    context: WriteContext,
    edits: readonly Edit[] | EditsOf,
    plan: Pick<PlanOptions, 'regex' | 'isOne'>,
    options: EditOptions,
  ) {
    const { isLenient = false, expectedHash } = options;
    this.#context = context;
    this.#options = options;
    const isOwn = typeof edits === 'function';
    this.#editsOf = isOwn ? edits : () => edits;
    const shared = isOwn ? [] : edits;
    const hash = plan.isOne ? expectedHash : undefined;
    this.#plan = { ...plan, edits: shared, isOwn, isLenient, expectedHash: hash };
    this.#opposite = isOwn ? undefined : oppositeOf(shared);
  }

  async run(requestedPaths: readonly string[]): Promise<Edited> {
    const { dryRun = false, expectedHash, signal } = this.#options;
    const slice = new TimeSlice(signal);
    for (const path of requestedPaths) {
      await this.#add(path);
      if (slice.over) await slice.pause();
    }
    if (!this.#plan.isOne) await this.#refuseUnused(requestedPaths.length);
    const isHashed = dryRun || expectedHash !== undefined;
    let hash = isHashed ? await this.#hash() : undefined;
    if (!this.#plan.isOne && expectedHash !== undefined && expectedHash.toLowerCase() !== hash)
      throw new Conflict('The files changed since they were read; run the edit with dryRun again');
    const replaced = dryRun ? nothingReplaced() : await this.#write(requestedPaths.length);
    const [plan] = this.#plans.values();
    if (isHashed && this.#plan.isOne && !dryRun && plan) hash = await sha256(plan.after);
    return { ...this.#result(), ...replaced, ...(hash !== undefined && { hash }) };
  }

  [Symbol.dispose](): void {
    for (const file of this.#open) file[Symbol.dispose]();
  }

  async #add(requestedPath: string): Promise<void> {
    const file = FileChange.open(this.#context, requestedPath, { exists: true });
    try {
      if (this.#seen.has(file.path)) {
        if (!this.#plan.isOwn) return;
        throw new Error(
          `Two paths lead to the same file; use one of them for all edits of the file: ${quoted(requestedPath)}`,
        );
      }
      this.#seen.add(file.path);
      const planned = await this.#planOf(file);
      if ('after' in planned) this.#keep(planned);
      else this.#leaveAlone(requestedPath, planned);
    } finally {
      if (!this.#open.has(file)) file[Symbol.dispose]();
    }
  }

  async #planOf(file: FileChange): Promise<EditPlan | LeftAlone> {
    try {
      return await planEdit(file, { ...this.#plan, edits: this.#editsOf(file.requestedPath) });
    } catch (error) {
      throw toPathError(error, file.requestedPath);
    }
  }

  #leaveAlone(requestedPath: string, { bytes, reason }: LeftAlone): void {
    if (reason !== undefined) this.#skipped.push({ path: requestedPath, reason });
    else if (!this.#plan.isLenient) this.#unmatched.push(requestedPath);
    if (this.#opposite && bytes && !isUndisturbed(bytes, this.#opposite)) this.#opposite = undefined;
  }

  #keep(plan: EditPlan): void {
    const { file, bytes, after, text, textAfter } = plan;
    const directory = this.#context.identityOf(file);
    const sibling = this.#directories.get(directory);
    if (sibling && sibling !== file) file.shareParent(sibling);
    else this.#directories.set(directory, file);
    this.#open.add(file);
    this.#plans.set(file.path, plan);
    this.#heldBytes += bytes.length + after.length;
    if (this.#plans.size > maxChangedFiles || this.#heldBytes > maxHeldBytes)
      throw new Error(
        `The edits change more than ${maxChangedFiles} files or ${maxHeldBytes} bytes; give fewer files per call`,
      );
    if (this.#opposite && !isReversed(this.#opposite, text, textAfter)) this.#opposite = undefined;
    if (this.#seen.size % 100 === 0) this.#options.progress?.(this.#seen.size);
  }

  /** Throws if an edit occurs in none of the files. */
  async #refuseUnused(total: number): Promise<void> {
    const { edits } = this.#plan;
    const plans = [...this.#plans.values()];
    const unused = edits.findIndex((_, index) => !plans.some(({ applied }) => applied[index]));
    if (unused < 0) return;
    const which = edits.length > 1 ? `Edit ${unused + 1} of ${edits.length}: ` : '';
    const { oldText = '', regex } = edits[unused]!;
    const { allowed } = this.#context;
    const unnumbered = regex ? undefined : withoutLineNumbers(oldText);
    const nearest = regex
      ? []
      : await closestLinesInFiles(allowed, this.#seen, unnumbered ?? oldText, this.#options.signal);
    const numbers = unnumbered === undefined ? '' : lineNumbersHint;
    const hint = nearest.length > 0 ? `; the most similar lines are:${nearest.join('')}` : '';
    throw new Error(
      `${which}oldText does not occur in any of ${total} files: ${quoted(oldText)}${numbers}${hint}`,
    );
  }

  async #hash(): Promise<string> {
    const plans = this.#sorted();
    if (plans.length === 1) return sha256(plans[0]!.bytes);
    const parts: string[] = [];
    for (const { file, bytes } of plans) parts.push(`${file.path}\0${await sha256(bytes)}`);
    return sha256(Buffer.from(parts.join('\n')));
  }

  async #write(total: number): Promise<Replaced> {
    if (this.#changed().length === 0) return nothingReplaced();
    const files = [...this.#plans.values()].map(({ file }) => file);
    return await this.#context.exclusively(files, async () => {
      this.#options.signal?.throwIfAborted();
      for (const file of files) await this.#refresh(file);
      if (!this.#plan.isOne) await this.#refuseUnused(total);
      return await this.#replaceAll();
    });
  }

  /**
   * If the file was changed after the edits were planned and before the file was locked, applies the edits to
   * the new content; throws instead if the caller gave `expectedHash`.
   */
  async #refresh(file: FileChange): Promise<void> {
    file.refuseMoved();
    const { stats, bytes, after } = this.#plans.get(file.path)!;
    try {
      file.refuseChanged(stats);
    } catch (error) {
      if (this.#options.expectedHash !== undefined) throw error;
      const again = await this.#planOf(file);
      this.#plans.delete(file.path);
      this.#heldBytes -= bytes.length + after.length;
      if ('after' in again) this.#keep(again);
      else this.#leaveAlone(file.requestedPath, again);
    }
  }

  async #replaceAll(): Promise<Replaced> {
    const files = this.#changed().map(({ file, bytes, stats, after }) => {
      return { file, existing: existingOf(file), before: bytes, stats, after };
    });
    const inPlace = new CappedList<OverwrittenFile>();
    const links = new Map<string, number>();
    const reasons = await replaceFiles(this.#context, files, {
      signal: this.#options.signal,
      kept: this.#options.kept,
      progress: (done) => this.#options.progress?.(this.#seen.size + done),
    });
    for (const [index, { file, existing, stats }] of files.entries()) {
      const reason = reasons[index];
      if (reason) inPlace.push({ path: file.requestedPath, reason });
      const identity = `${stats.dev}:${stats.ino}`;
      if (!reason) links.set(identity, (links.get(identity) ?? existing.nlink) - 1);
    }
    return { detachedHardLinks: [...links.values()].reduce((sum, left) => sum + left, 0), inPlace };
  }

  #result(): Omit<Edited, keyof Replaced | 'hash'> {
    const changed = this.#changed();
    const { dryRun = false } = this.#options;
    const files = (this.#plan.isOne ? this.#sorted() : changed).map(({ file, applied }) => ({
      path: file.requestedPath,
      realPath: file.path,
      applied,
      occurrences: applied.reduce((sum, each) => sum + (each?.occurrences ?? 0), 0),
    }));
    return {
      files,
      occurrences: files.reduce((sum, { occurrences }) => sum + occurrences, 0),
      changed: changed.length > 0,
      written: !dryRun && changed.length > 0,
      unmatched: this.#unmatched,
      skipped: this.#skipped,
      ...this.#diff(changed),
      isReversible: this.#opposite !== undefined && changed.length > 0,
    };
  }

  #diff(changed: readonly EditPlan[]): Pick<Edited, 'diff' | 'isDiffCut'> {
    const { maxDiff = defaultMaxLength } = this.#options;
    let diff = '';
    if (maxDiff === 0) return { diff, isDiffCut: false };
    for (const { file, text, textAfter } of changed) {
      const room = maxDiff - diff.length;
      if (room <= 0) return { diff, isDiffCut: true };
      diff += unifiedDiff(file.requestedPath, text, textAfter, room);
    }
    return { diff, isDiffCut: false };
  }

  #changed(): EditPlan[] {
    return this.#sorted().filter(({ text, textAfter }) => text !== textAfter);
  }

  #sorted(): EditPlan[] {
    return [...this.#plans.values()].sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
  }
}

function nothingReplaced(): Replaced {
  return { detachedHardLinks: 0, inPlace: new CappedList() };
}

function existingOf(file: FileChange): Stats {
  try {
    return file.required();
  } catch (error) {
    throw toPathError(error, file.requestedPath);
  }
}
