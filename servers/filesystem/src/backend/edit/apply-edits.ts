import { locateEdit, lineNumber } from './locate-edit.ts';
import { replaceOccurrences } from './replace-occurrences.ts';

/** The replacement of one text by another, both literal. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** The number of occurrences to replace, which must be exact; 0 replaces all. Default: 1. */
  readonly count?: number | undefined;
}

export interface AppliedEdit {
  /** The line number, from 1, in the text after the previous edits. */
  readonly line: number;
  /** `tolerant`: the lines differed from `oldText` in white space. `unchanged`: the edit changes nothing. */
  readonly match: 'exact' | 'tolerant' | 'unchanged';
  /** The number of occurrences that were replaced. */
  readonly occurrences: number;
}

/** Applies edits one after the other; throws when one cannot be applied. */
export function applyEdits(text: string, edits: readonly Edit[]): { text: string; applied: AppliedEdit[] } {
  if (!edits.length) throw new Error('No edits');
  let edited = text;
  const applied: AppliedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    try {
      const { text: next, ...rest } = applyEdit(edited, edit);
      applied.push(rest);
      edited = next;
    } catch (error) {
      if (edits.length === 1 || !(error instanceof Error)) throw error;
      throw new Error(`Edit ${index + 1} of ${edits.length}: ${error.message}`, { cause: error });
    }
  }
  return { text: edited, applied };
}

function applyEdit(text: string, edit: Edit): AppliedEdit & { text: string } {
  const all = edit.count === undefined ? undefined : replaceOccurrences(text, edit, edit.count);
  if (all) return { ...all, match: all.text === text ? 'unchanged' : 'exact' };
  const { start, end, replacement, tolerant } = found(text, edit);
  const line = lineNumber(text, start);
  const next = text.slice(0, start) + replacement + text.slice(end);
  const match = next === text ? 'unchanged' : tolerant ? 'tolerant' : 'exact';
  return { text: next, line, match, occurrences: 1 };
}

function found(text: string, { oldText, newText }: Edit) {
  // An edit without effect need not be unique.
  const at = oldText && oldText === newText ? text.indexOf(oldText) : -1;
  if (at >= 0) return { start: at, end: at + oldText.length, replacement: newText, tolerant: false };
  return locateEdit(text, oldText, newText);
}
