import { findText, lineNumber } from './locate-edit.ts';

/** Replaces one text by another, both literal. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

export interface AppliedEdit {
  /** Where it was applied, in the text as the edits before had left it. */
  readonly line: number;
  /** `tolerant`: the lines differed from `oldText` in white space. `unchanged`: both texts are the same. */
  readonly match: 'exact' | 'tolerant' | 'unchanged';
}

/** Applies edits one after the other; throws when one cannot be, so that none is. */
export function applyEdits(text: string, edits: readonly Edit[]): { text: string; applied: AppliedEdit[] } {
  if (!edits.length) throw new Error('No edits');
  let edited = text;
  const applied: AppliedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    try {
      const { start, end, replacement, tolerant } = found(edited, edit);
      const line = lineNumber(edited, start);
      const next = edited.slice(0, start) + replacement + edited.slice(end);
      applied.push({ line, match: next === edited ? 'unchanged' : tolerant ? 'tolerant' : 'exact' });
      edited = next;
    } catch (error) {
      if (edits.length === 1 || !(error instanceof Error)) throw error;
      throw new Error(`Edit ${index + 1} of ${edits.length}: ${error.message}`, { cause: error });
    }
  }
  return { text: edited, applied };
}

function found(text: string, { oldText, newText }: Edit) {
  // What changes nothing need not be unique, only there.
  const at = oldText && oldText === newText ? text.indexOf(oldText) : -1;
  if (at >= 0) return { start: at, end: at + oldText.length, replacement: newText, tolerant: false };
  return findText(text, oldText, newText);
}
