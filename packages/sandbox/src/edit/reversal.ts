import { replaceText } from './apply-edit.ts';
import type { Edit, Replaceable } from './edit.ts';
import { NoOccurrence } from './no-occurrence.ts';

/**
 * Returns the edit that exchanges `oldText` and `newText`; undefined if it could not undo the edits: for
 * several edits, a regular expression, a range of lines, or an empty text.
 */
export function oppositeOf(edits: readonly Edit[]): Replaceable | undefined {
  const [edit] = edits;
  if (edits.length !== 1 || !edit?.oldText || edit.newText === '') return undefined;
  if (edit.regex || edit.startLine !== undefined || edit.endLine !== undefined) return undefined;
  return { ...edit, oldText: edit.newText, newText: edit.oldText };
}

/** Whether the opposite edit, applied to the text after the edit, restores the text before the edit. */
export function isReversed(opposite: Replaceable, before: string, after: string): boolean {
  try {
    const { text, match } = replaceText(after, opposite);
    return text === before && match === 'exact';
  } catch {
    return false;
  }
}

/** Whether the opposite edit leaves a text unchanged, as it must in files that the edits left unchanged. */
export function isLeftAlone(opposite: Replaceable, text: string): boolean {
  try {
    return replaceText(text, opposite).match !== 'exact';
  } catch (error) {
    return error instanceof NoOccurrence;
  }
}
