import { applyEdits, type Edit } from './apply-edits.ts';
import { NoOccurrence } from './no-occurrence.ts';

/** The edit with `oldText` and `newText` exchanged; undefined unless there is one edit, of a literal text. */
export function oppositeOf(edits: readonly Edit[]): Edit | undefined {
  const [edit] = edits;
  if (edits.length !== 1 || !edit?.oldText || edit.newText === '') return undefined;
  if (edit.regex || edit.startLine !== undefined || edit.endLine !== undefined) return undefined;
  return { ...edit, oldText: edit.newText, newText: edit.oldText };
}

/** Whether the opposite edit restores the text before the edit. */
export function isReversed(opposite: Edit, before: string, after: string): boolean {
  try {
    const { text, applied } = applyEdits(after, [opposite]);
    return text === before && applied[0]?.match === 'exact';
  } catch {
    return false;
  }
}

/** Whether the opposite edit, of several files, leaves a text unchanged that the edit did not change. */
export function isLeftAlone(opposite: Edit, text: string): boolean {
  try {
    return applyEdits(text, [opposite]).applied[0]?.match !== 'exact';
  } catch (error) {
    return error instanceof NoOccurrence;
  }
}
