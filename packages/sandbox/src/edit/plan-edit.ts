import type { BigIntStats } from 'node:fs';
import { codeOf, messageOf, quoted } from '@mcp/kit';
import { toPathError } from '../errors.ts';
import type { WholeFile } from '../read/read-whole-file.ts';
import { decodeText, encodeText, isBinary, isUtf16 } from '../text/text-encoding.ts';
import type { FileChange } from '../replace/file-change.ts';
import type { AppliedEdit, Edit, Replaceable } from './edit.ts';
import { editText, type EditedText } from './edit-text.ts';
import { isLeftAlone } from './reversal.ts';
import type { RegexReplacer } from './regex-replacer.ts';

/** A file in which edits occur, with its content before and after the edits. */
export interface EditPlan {
  readonly file: FileChange;
  readonly stats: BigIntStats;
  readonly bytes: Buffer;
  readonly after: Buffer;
  readonly text: string;
  readonly textAfter: string;
  /** One element per edit; undefined if the edit does not occur. */
  readonly applied: readonly (AppliedEdit | undefined)[];
}

/** A file that the edits do not change; `reason` is given if the file cannot be edited. */
export interface LeftAlone {
  readonly bytes?: Buffer;
  readonly reason?: string;
}

export interface PlanOptions {
  readonly edits: readonly Edit[];
  readonly regex: RegexReplacer;
  /** Whether a single file is edited: then every edit must occur, and may match with other white space. */
  readonly isOne: boolean;
  /** Whether every edit must occur in every file, because each file has edits of its own. */
  readonly isOwn?: boolean | undefined;
  /** Skip files that cannot be read or are not text. A read-only file fails only if the edits change it. */
  readonly isLenient: boolean;
  /** The SHA-256 that the content must have before the edits; undefined if any content is accepted. */
  readonly expectedHash: string | undefined;
}

/** Applies edits to a file's content in memory. Throws if an edit does not occur as its `count` requires. */
export async function planEdit(file: FileChange, options: PlanOptions): Promise<EditPlan | LeftAlone> {
  const { edits, isLenient } = options;
  const denied = refusalOf(file, isLenient);
  let read: WholeFile;
  try {
    read = await content(file, options);
  } catch (error) {
    if (!isLenient) throw error;
    return { reason: toPathError(error, file.requestedPath).message };
  }
  const { bytes, stats } = read;
  if (isLenient && certainlyWithout(bytes, edits)) return { bytes };
  const before = decodeText(bytes);
  if ('reason' in before) {
    if (!isLenient) throw new Error(`${before.reason}: ${quoted(file.requestedPath)}`);
    return isBinary(bytes) ? {} : { reason: before.reason };
  }
  const { text, applied } = await edited(file, before.text, options);
  if (!applied.some(Boolean)) return { bytes };
  if (denied && text !== before.text) throw denied;
  const after = encodeText({ ...before, text });
  return { file, stats, bytes, after, text: before.text, textAfter: text, applied };
}

/**
 * Whether the opposite edit would not change this file, which the edits left unchanged. An opposite edit that
 * changes it does more than undo the edits.
 */
export function isUndisturbed(bytes: Buffer, opposite: Replaceable): boolean {
  if (certainlyWithout(bytes, [opposite])) return true;
  const decoded = decodeText(bytes);
  return 'reason' in decoded || isLeftAlone(opposite, decoded.text);
}

/**
 * Throws if the file is missing or cannot be replaced. With `isLenient`, returns the error if only write
 * permission is missing, because it does not matter if the edits leave the file unchanged.
 */
function refusalOf(file: FileChange, isLenient: boolean): Error | undefined {
  try {
    file.required();
    return undefined;
  } catch (error) {
    if (isLenient && error instanceof Error && codeOf(error) === 'EACCES') return error;
    throw error;
  }
}

async function content(file: FileChange, { isLenient, expectedHash }: PlanOptions): Promise<WholeFile> {
  if (expectedHash !== undefined) return await file.readExpected(expectedHash);
  return (isLenient && file.readSmall()) || (await file.read());
}

async function edited(
  { requestedPath }: FileChange,
  text: string,
  { edits, regex, isOne, isOwn = false }: PlanOptions,
): Promise<EditedText> {
  try {
    return await editText(text, edits, regex, { isPartial: !isOne && !isOwn });
  } catch (error) {
    const message = messageOf(error);
    const path = quoted(requestedPath);
    throw new Error(`${isOne ? `Nothing was changed in ${path}.` : `${path}:`} ${message}`, { cause: error });
  }
}

/** Whether it is certain that no edit occurs in the bytes. The bytes are not decoded, which is faster. */
function certainlyWithout(bytes: Buffer, edits: readonly Edit[]): boolean {
  if (isUtf16(bytes)) return false;
  return edits.every(({ oldText, regex }) => {
    if (regex || oldText === undefined) return false;
    const lines = oldText.split(/\r\n?|\n/);
    const longest = lines.reduce((one, other) => (other.length > one.length ? other : one), '');
    return longest !== '' && !bytes.includes(longest);
  });
}
