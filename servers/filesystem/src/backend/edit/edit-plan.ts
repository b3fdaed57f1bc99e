import type { BigIntStats } from 'node:fs';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { codeOf, toPathError } from '../errors.ts';
import { readSmallFile, readWholeFile } from '../read/read-whole-file.ts';
import { decodeText, encodeText, isUtf16 } from '../text/text-encoding.ts';
import { existingFile, missingFile } from '../write/change-file.ts';
import type { WriteContext } from '../write/write-context.ts';
import { applyAnyEdit, numbered, type Edit } from './apply-edits.ts';
import { NoOccurrence } from './no-occurrence.ts';
import { isLeftAlone } from './reversal.ts';
import type { RegexReplacer } from './regex-replacer.ts';

/** The result of edits for one file that they change. */
export interface EditPlan {
  readonly requestedPath: string;
  /** The real path. */
  readonly path: string;
  readonly stats: BigIntStats;
  readonly bytes: Buffer;
  readonly after: Buffer;
  readonly text: string;
  readonly textAfter: string;
  readonly occurrences: number;
  /** The indexes of the edits that apply to it. */
  readonly applied: readonly number[];
}

/** A file that edits do not change, and the reason if it cannot be edited. */
export interface LeftAlone {
  readonly bytes?: Buffer;
  readonly reason?: string;
}

export interface PlanOptions {
  readonly context: WriteContext;
  readonly edits: readonly Edit[];
  readonly regex: RegexReplacer;
  /** Leave files alone that are not text, or that cannot be written and do not match, instead of throwing. */
  readonly isLenient: boolean;
}

/** Applies edits to one file, some of which may not occur in it. Throws when one occurs in a wrong number. */
export async function planEdits(
  target: EntryLocation,
  requestedPath: string,
  { context, edits, regex, isLenient }: PlanOptions,
): Promise<EditPlan | LeftAlone> {
  const denied = refusalOf(context, target, requestedPath, isLenient);
  let read: Awaited<ReturnType<typeof readWholeFile>>;
  try {
    read = (isLenient && readSmallFile(target)) || (await readWholeFile(target, requestedPath));
  } catch (error) {
    if (!isLenient) throw error;
    return { reason: toPathError(error, requestedPath).message };
  }
  const { bytes, stats } = read;
  if (isLenient && certainlyWithout(bytes, edits)) return { bytes };
  const before = decodeText(bytes);
  if ('reason' in before) {
    if (!isLenient) throw new Error(`${before.reason}: ${quoted(requestedPath)}`);
    return isBinary(bytes) ? {} : { reason: before.reason };
  }
  const { text, applied, occurrences } = await applyWherePossible(before.text, edits, regex).catch(
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${quoted(requestedPath)}: ${message}`, { cause: error });
    },
  );
  if (applied.length === 0) return { bytes };
  if (denied && text !== before.text) throw denied;
  const after = encodeText({ ...before, text });
  const texts = { text: before.text, textAfter: text };
  return { requestedPath, path: target.path, stats, bytes, after, ...texts, occurrences, applied };
}

/** Whether the opposite edits would leave a file unchanged that the edits did not change. */
export function isUndisturbed(bytes: Buffer, opposite: Edit): boolean {
  if (certainlyWithout(bytes, [opposite])) return true;
  const decoded = decodeText(bytes);
  return 'reason' in decoded || isLeftAlone(opposite, decoded.text);
}

/** Why a file cannot be written, where that matters only if the edits change it; throws other reasons. */
function refusalOf(
  context: WriteContext,
  target: EntryLocation,
  requestedPath: string,
  isLenient: boolean,
): Error | undefined {
  try {
    if (!existingFile(target, requestedPath)) throw missingFile(context, target, requestedPath);
    return undefined;
  } catch (error) {
    if (isLenient && error instanceof Error && codeOf(error) === 'EACCES') return error;
    throw error;
  }
}

async function applyWherePossible(text: string, edits: readonly Edit[], regex: RegexReplacer) {
  let edited = text;
  let occurrences = 0;
  const applied: number[] = [];
  for (const [index, edit] of edits.entries()) {
    try {
      const result = await applyAnyEdit(edited, edit, (part, each) => regex.replace(part, each));
      // A match apart from white space needs a look at the file, which many files do not get.
      if (result.match === 'tolerant') continue;
      edited = result.text;
      occurrences += result.occurrences;
      applied.push(index);
    } catch (error) {
      if (!(error instanceof NoOccurrence)) throw numbered(error, index, edits.length);
    }
  }
  return { text: edited, applied, occurrences };
}

/** Whether no edit can apply, seen without decoding the file. */
function certainlyWithout(bytes: Buffer, edits: readonly Edit[]): boolean {
  if (isUtf16(bytes)) return false;
  return edits.every(({ oldText, regex }) => {
    if (regex || oldText === undefined) return false;
    const lines = oldText.split(/\r\n?|\n/);
    const longest = lines.reduce((one, other) => (other.length > one.length ? other : one), '');
    return longest !== '' && !bytes.includes(longest);
  });
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}
