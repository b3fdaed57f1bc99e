import { decodeText, encodeText } from '../text/text-encoding.ts';
import { quoted } from '../display-name.ts';
import { applyAnyEdit, numbered, type AppliedEdit, type Edit } from './apply-edits.ts';
import { sha256 } from '../sha256.ts';
import { readWholeFile } from '../read/read-whole-file.ts';
import { RegexReplacer } from './regex-replacer.ts';
import { isReversed, oppositeOf } from './reversal.ts';
import { unifiedDiff } from './unified-diff.ts';
import type { WriteContext } from '../write/write-context.ts';
import { changeFile, existingFile, expectHash, missingFile, refuseChanged } from '../write/change-file.ts';
import { replaceFile, type InPlace } from '../write/replace-file.ts';

export interface EditOptions {
  /** Return the diff without writing. Default: false. */
  dryRun?: boolean | undefined;
  /** The SHA-256 of the content to edit; throw `Conflict` when it is different. */
  expectedHash?: string | undefined;
  /** The number of characters after which the diff is cut. Default: 64 Ki. */
  maxDiff?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface Edited {
  /** The real path. */
  readonly path: string;
  /** One element per edit. */
  readonly applied: readonly AppliedEdit[];
  /** Empty when nothing changed, or with a `maxDiff` of 0. */
  readonly diff: string;
  readonly changed: boolean;
  /** Whether the file was written. */
  readonly written: boolean;
  /** The SHA-256 of the edited content. */
  readonly hash: string;
  /** The SHA-256 of the content before the edits. */
  readonly hashBefore: string;
  /** The number of other hard links to the old file, which keep the old content. */
  readonly detachedHardLinks: number;
  /** Whether the file was overwritten, not atomically, and why. */
  readonly inPlace: InPlace;
  /** Whether the same edit with `oldText` and `newText` exchanged restores the file. */
  readonly isReversible: boolean;
}

/** Edits a text file: all edits or none. Every byte outside the edits is kept. */
export function editFile(
  context: WriteContext,
  requestedPath: string,
  edits: readonly Edit[],
  { dryRun = false, expectedHash, maxDiff, signal }: EditOptions = {},
): Promise<Edited> {
  return changeFile(context, requestedPath, async (target) => {
    const existing = existingFile(target, requestedPath);
    if (!existing) throw missingFile(context, target, requestedPath);
    const { bytes, stats } = await (expectedHash === undefined
      ? readWholeFile(target, requestedPath)
      : expectHash(target, expectedHash, requestedPath));

    const before = decodeText(bytes);
    if ('reason' in before) throw new Error(`${before.reason}: ${quoted(requestedPath)}`);
    const { text, applied } = await edited(before.text, edits, requestedPath, signal);
    const after = encodeText({ ...before, text });
    const changed = text !== before.text;
    const written = !dryRun && changed;
    const opposite = oppositeOf(edits);
    let inPlace: InPlace = false;
    if (written) {
      const check = () => refuseChanged(target, stats, requestedPath);
      ({ inPlace } = await replaceFile(context, target, { bytes: after, existing, check }));
    }
    return {
      path: target.path,
      applied,
      diff: maxDiff === 0 ? '' : unifiedDiff(requestedPath, before.text, text, maxDiff),
      changed,
      written,
      hash: await sha256(after),
      hashBefore: await sha256(bytes),
      detachedHardLinks: written && !inPlace ? existing.nlink - 1 : 0,
      inPlace,
      isReversible: changed && opposite !== undefined && isReversed(opposite, before.text, text),
    };
  });
}

async function edited(
  text: string,
  edits: readonly Edit[],
  requestedPath: string,
  signal: AbortSignal | undefined,
): Promise<{ text: string; applied: AppliedEdit[] }> {
  await using regex = new RegexReplacer(signal);
  let edited = text;
  const applied: AppliedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    try {
      const { text: next, ...rest } = await applyAnyEdit(edited, edit, (part, each) =>
        regex.replace(part, each),
      );
      applied.push(rest);
      edited = next;
    } catch (error) {
      const { message } = numbered(error, index, edits.length);
      throw new Error(`Nothing was changed in ${quoted(requestedPath)}. ${message}`, { cause: error });
    }
  }
  if (applied.length === 0) throw new Error('No edits');
  return { text: edited, applied };
}
