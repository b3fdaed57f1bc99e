import { locateEdit, lineNumber } from './locate-edit.ts';

/** The replacement of one text by another, both literal. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

export interface AppliedEdit {
  /** The line number, from 1, in the text after the previous edits. */
  readonly line: number;
  /** `tolerant`: the lines differed from `oldText` in white space. `unchanged`: the edit changes nothing. */
  readonly match: 'exact' | 'tolerant' | 'unchanged';
}

/** Applies edits one after the other; throws when one cannot be applied. */
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
  // An edit without effect need not be unique.
  const at = oldText && oldText === newText ? text.indexOf(oldText) : -1;
  if (at >= 0) return { start: at, end: at + oldText.length, replacement: newText, tolerant: false };
  return locateEdit(text, oldText, newText);
}
