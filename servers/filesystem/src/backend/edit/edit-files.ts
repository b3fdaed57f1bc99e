import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { EntryLocation } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../access/path-opener.ts';
import { CappedList } from '../capped-list.ts';
import { quoted } from '../display-name.ts';
import { Conflict, NotFound, toPathError } from '../errors.ts';
import { sha256 } from '../sha256.ts';
import { TimeSlice } from '../time-slice.ts';
import type { UnreadablePath } from '../traverse/path-filter.ts';
import { existingFile, refuseChanged } from '../write/change-file.ts';
import type { InPlaceReason } from '../write/overwrite-in-place.ts';
import { replaceFiles, ReplacingFailed, type FileToReplace } from '../write/replace-files.ts';
import type { WriteContext } from '../write/write-context.ts';
import type { Edit } from './apply-edits.ts';
import { closestLinesInFiles } from './closest-lines-in-files.ts';
import { isUndisturbed, planEdits, type EditPlan, type PlanOptions } from './edit-plan.ts';
import { RegexReplacer } from './regex-replacer.ts';
import { isReversed, oppositeOf } from './reversal.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface EditFilesOptions {
  dryRun?: boolean | undefined;
  /** The `hash` of an earlier result; throw `Conflict` when one of the files to change is different. */
  expectedHash?: string | undefined;
  /** The number of characters of all diffs. Default: 0. */
  maxDiff?: number | undefined;
  /** Leave files alone that are not text. Default: false. */
  isLenient?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of files read, and then written. */
  progress?: ((done: number) => void) | undefined;
}

export interface EditedFiles extends Replaced {
  /** Files that the edits change, sorted by path. */
  readonly files: readonly { readonly path: string; readonly occurrences: number }[];
  readonly occurrences: number;
  /** Files to which no edit applies. */
  readonly unmatched: CappedList<string>;
  /** Files that cannot be edited, with the reason. */
  readonly skipped: CappedList<UnreadablePath>;
  readonly diff: string;
  /** Whether the diff lacks something. */
  readonly isDiffCut: boolean;
  /** Identifies the files to change and their content before the edits. */
  readonly hash: string;
  /** Whether the same edits with `oldText` and `newText` exchanged restore every file. */
  readonly isReversible: boolean;
}

/** A file that was overwritten, not atomically, and why. */
export interface OverwrittenFile {
  readonly path: string;
  readonly reason: InPlaceReason;
}

interface Replaced {
  /** The number of hard links that keep the old content. */
  readonly detachedHardLinks: number;
  readonly inPlace: CappedList<OverwrittenFile>;
}

function nothingReplaced(): Replaced {
  return { detachedHardLinks: 0, inPlace: new CappedList() };
}

/** Files are locked together, and each lock takes a descriptor. */
const maxChangedFiles = 1_000;
/** The content before and after the edits is in memory, so that all files can be restored. */
const maxHeldBytes = 64 * 1024 * 1024;

/**
 * Edits several text files: all files or none. An edit may be without occurrence in some files, not in all.
 */
export async function editFiles(
  context: WriteContext,
  requestedPaths: readonly string[],
  edits: readonly Edit[],
  options: EditFilesOptions = {},
): Promise<EditedFiles> {
  const { dryRun = false, expectedHash, maxDiff = 0, isLenient = false, signal } = options;
  await using regex = new RegexReplacer(signal);
  const planning = new Planning({ context, edits, regex, isLenient }, options);
  const slice = new TimeSlice(signal);
  try {
    for (const path of requestedPaths) {
      await planning.add(path);
      if (slice.over) await slice.pause();
    }
    await planning.refuseUnused(requestedPaths.length);
    const hash = await planning.hash();
    if (expectedHash !== undefined && expectedHash.toLowerCase() !== hash)
      throw new Conflict('The files changed since they were read; run the edit with dryRun again');
    const replaced = dryRun ? nothingReplaced() : await planning.write(expectedHash !== undefined);
    return { ...planning.result(maxDiff), hash, ...replaced };
  } catch (error) {
    if (error instanceof ReplacingFailed) throw error;
    signal?.throwIfAborted();
    throw new ReplacingFailed('Nothing was changed.', error);
  }
}

class Planning {
  readonly #context: WriteContext;
  readonly #options: PlanOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #progress: EditFilesOptions['progress'];
  readonly #plans = new Map<string, EditPlan>();
  readonly #unmatched = new CappedList<string>();
  readonly #skipped = new CappedList<UnreadablePath>();
  /** Real paths, so that a file named twice is edited once. */
  readonly #seen = new Set<string>();
  readonly #parents = new Map<string, OpenedPath>();
  #heldBytes = 0;
  /** The edit that reverses all changes, as far as is known. */
  #opposite: Edit | undefined;

  constructor(options: PlanOptions, { signal, progress }: EditFilesOptions) {
    this.#context = options.context;
    this.#options = options;
    this.#signal = signal;
    this.#progress = progress;
    this.#opposite = oppositeOf(options.edits);
  }

  async add(requestedPath: string): Promise<void> {
    const { allowed } = this.#context;
    const { isLenient } = this.#options;
    const path = allowed.locate(requestedPath);
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    if (allowed.directories.some(({ real }) => real === path))
      throw new Error(`Is a directory, not a file: ${quoted(requestedPath)}`);
    const planned = await this.#plan(path, requestedPath);
    if (!('after' in planned)) {
      if (planned.reason !== undefined) this.#skipped.push({ path: requestedPath, reason: planned.reason });
      else if (!isLenient) this.#unmatched.push(requestedPath);
      if (this.#opposite && planned.bytes && !isUndisturbed(planned.bytes, this.#opposite))
        this.#opposite = undefined;
      return;
    }
    this.#keep(planned);
    if (this.#seen.size % 100 === 0) this.#progress?.(this.#seen.size);
  }

  /** Throws where an edit applies to no file at all. */
  async refuseUnused(total: number): Promise<void> {
    const used = new Set([...this.#plans.values()].flatMap(({ applied }) => applied));
    const { edits } = this.#options;
    const unused = edits.findIndex((_, index) => !used.has(index));
    if (unused < 0) return;
    const which = edits.length > 1 ? `Edit ${unused + 1} of ${edits.length}: ` : '';
    const { oldText = '', regex } = edits[unused]!;
    const { allowed } = this.#context;
    const nearest = regex ? [] : await closestLinesInFiles(allowed, this.#seen, oldText, this.#signal);
    const hint = nearest.length > 0 ? `; the most similar lines are:${nearest.join('')}` : '';
    throw new Error(`${which}oldText does not occur in any of ${total} files: ${quoted(oldText)}${hint}`);
  }

  async hash(): Promise<string> {
    const plans = this.#sorted();
    if (plans.length === 1) return sha256(plans[0]!.bytes);
    const parts: string[] = [];
    for (const { path, bytes } of plans) parts.push(`${path}\0${await sha256(bytes)}`);
    return sha256(Buffer.from(parts.join('\n')));
  }

  /** Writes all files or none. */
  async write(isExact: boolean): Promise<Replaced> {
    const paths = [...this.#plans.keys()];
    return this.#context.inTurn(paths, async () => {
      try {
        const targets = paths.map((path) => this.#target(path));
        using _ = await this.#context.lock(targets);
        for (const target of targets) await this.#refresh(target, isExact);
        return await this.#replaceAll();
      } finally {
        for (const parent of this.#parents.values()) parent.close();
        this.#parents.clear();
      }
    });
  }

  result(maxDiff: number): Omit<EditedFiles, 'hash' | keyof Replaced> {
    const plans = this.#sorted().filter(({ text, textAfter }) => text !== textAfter);
    let diff = '';
    let isDiffCut = false;
    for (const { requestedPath, text, textAfter } of plans) {
      const room = maxDiff - diff.length;
      if (room <= 0) {
        isDiffCut = true;
        break;
      }
      diff += unifiedDiff(requestedPath, text, textAfter, room);
    }
    return {
      files: plans.map(({ requestedPath, occurrences }) => ({ path: requestedPath, occurrences })),
      occurrences: plans.reduce((sum, { occurrences }) => sum + occurrences, 0),
      unmatched: this.#unmatched,
      skipped: this.#skipped,
      diff,
      isDiffCut,
      isReversible: this.#opposite !== undefined && plans.length > 0,
    };
  }

  #sorted(): EditPlan[] {
    return [...this.#plans.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #plan(path: string, requestedPath: string) {
    try {
      const target = this.#context.allowed.entryAt(path);
      try {
        return await planEdits(target, requestedPath, this.#options);
      } finally {
        target.parent.close();
      }
    } catch (error) {
      throw toPathError(error, requestedPath);
    }
  }

  #keep(plan: EditPlan): void {
    this.#plans.set(plan.path, plan);
    this.#heldBytes += plan.bytes.length + plan.after.length;
    if (this.#plans.size > maxChangedFiles || this.#heldBytes > maxHeldBytes)
      throw new Error(
        `The edits change more than ${maxChangedFiles} files or ${maxHeldBytes} bytes; give fewer files per call`,
      );
    if (this.#opposite && !isReversed(this.#opposite, plan.text, plan.textAfter)) this.#opposite = undefined;
  }

  #target(path: string): EntryLocation {
    const directory = dirname(path);
    let parent = this.#parents.get(directory);
    if (!parent) {
      parent = this.#openParent(directory, path);
      this.#parents.set(directory, parent);
    }
    return { parent, name: basename(path), path };
  }

  #openParent(directory: string, path: string): OpenedPath {
    try {
      return this.#context.allowed.openAt(directory);
    } catch (error) {
      throw toPathError(error, this.#plans.get(path)?.requestedPath ?? path);
    }
  }

  /** Plans a file again that was changed before it was locked. */
  async #refresh(target: EntryLocation, isExact: boolean): Promise<void> {
    const plan = this.#plans.get(target.path)!;
    try {
      refuseChanged(target, plan.stats, plan.requestedPath);
    } catch (error) {
      if (isExact) throw error;
      const again = await planAgain(target, plan.requestedPath, this.#options);
      this.#plans.delete(target.path);
      if ('after' in again) this.#keep(again);
    }
  }

  /** Replaces the files, and notes the effect on their hard links. */
  async #replaceAll(): Promise<Replaced> {
    const plans = this.#sorted().filter(({ text, textAfter }) => text !== textAfter);
    const files = plans.map(({ path, requestedPath, bytes, stats, after }): FileToReplace => {
      const target = this.#target(path);
      const existing = existingToReplace(target, requestedPath);
      return { requestedPath, target, existing, before: bytes, stats, after };
    });
    const inPlace = new CappedList<OverwrittenFile>();
    const links = new Map<string, number>();
    const reasons = await replaceFiles(this.#context, files, {
      signal: this.#signal,
      progress: (done) => this.#progress?.(this.#seen.size + done),
    });
    for (const [index, { requestedPath, existing, stats }] of files.entries()) {
      const reason = reasons[index];
      if (reason) inPlace.push({ path: requestedPath, reason });
      const identity = `${stats.dev}:${stats.ino}`;
      if (!reason) links.set(identity, (links.get(identity) ?? existing.nlink) - 1);
    }
    return { detachedHardLinks: [...links.values()].reduce((sum, left) => sum + left, 0), inPlace };
  }
}

async function planAgain(...[target, requestedPath, options]: Parameters<typeof planEdits>) {
  try {
    return await planEdits(target, requestedPath, options);
  } catch (error) {
    throw toPathError(error, requestedPath);
  }
}

function existingToReplace(target: EntryLocation, requestedPath: string): Stats {
  try {
    const existing = existingFile(target, requestedPath);
    if (existing) return existing;
  } catch (error) {
    throw toPathError(error, requestedPath);
  }
  throw new NotFound(`No such file: ${quoted(requestedPath)}`);
}
