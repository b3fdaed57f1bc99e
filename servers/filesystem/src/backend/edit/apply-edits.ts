import { offsetsOf, replaceLines, type LineRange } from './line-range.ts';
import { locateEdit, lineNumber } from './locate-edit.ts';
import { NoOccurrence } from './no-occurrence.ts';
import { replaceOccurrences } from './replace-occurrences.ts';

/** The replacement of a text, of the matches of a regular expression, or of whole lines. */
export interface Edit {
  /** The text to replace; undefined to replace the lines of the range. */
  readonly oldText?: string | undefined;
  readonly newText: string;
  /** The number of occurrences to replace, which must be exact; 0 replaces all. Default: 1. */
  readonly count?: number | undefined;
  /**
   * `oldText` is a regular expression, and `newText` a template with `$1`, `$<name>` and
   * `$&`. Default: false.
   */
  readonly regex?: boolean | undefined;
  /** Only these lines, from 1 and inclusive; `endLine` one less than `startLine` inserts. Default: all. */
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/** An edit that replaces a text. */
export type Replaceable = Edit & { readonly oldText: string };

export interface AppliedEdit {
  /** The line number, from 1, in the text after the previous edits. */
  readonly line: number;
  /** `tolerant`: the lines differed from `oldText` in white space. `unchanged`: the edit changes nothing. */
  readonly match: 'exact' | 'tolerant' | 'unchanged';
  /** The number of occurrences that were replaced. */
  readonly occurrences: number;
}

export type AppliedText = AppliedEdit & { readonly text: string };

/** Replaces the matches of a regular expression. */
export type ReplaceRegex = (
  text: string,
  edit: Replaceable,
) => Promise<{ text: string; line: number; occurrences: number }>;

/** Applies literal edits one after the other; throws when one cannot be applied. */
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
      throw numbered(error, index, edits.length);
    }
  }
  return { text: edited, applied };
}

/** Applies one edit, also of a regular expression. */
export async function applyAnyEdit(
  text: string,
  edit: Edit,
  replaceRegex: ReplaceRegex,
): Promise<AppliedText> {
  const { oldText, regex } = edit;
  if (!regex) return applyEdit(text, edit);
  if (oldText === undefined) throw new Error('regex needs oldText');
  const replaceable = { ...edit, oldText };
  const range = rangeOf(edit);
  if (!range) return withMatch(text, await replaceRegex(text, replaceable));
  const { start, end } = offsetsOf(text, range);
  const part = await replaceRegex(text.slice(start, end), replaceable);
  return withMatch(text, {
    ...part,
    text: text.slice(0, start) + part.text + text.slice(end),
    line: part.line + range.first - 1,
  });
}

/** The same error, with the number of its edit where there are several. */
export function numbered(error: unknown, index: number, total: number): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (total === 1) return error;
  const message = `Edit ${index + 1} of ${total}: ${error.message}`;
  return error instanceof NoOccurrence
    ? new NoOccurrence(message, { cause: error })
    : new Error(message, { cause: error });
}

function withMatch(before: string, replaced: Omit<AppliedText, 'match'>): AppliedText {
  return { ...replaced, match: replaced.text === before ? 'unchanged' : 'exact' };
}

function rangeOf({ startLine, endLine }: Edit): LineRange | undefined {
  if (startLine === undefined && endLine === undefined) return undefined;
  return { first: startLine ?? 1, last: endLine ?? startLine! };
}

function applyEdit(text: string, edit: Edit): AppliedText {
  const { oldText, newText } = edit;
  const range = rangeOf(edit);
  if (oldText === undefined) {
    if (!range) throw new Error('An edit needs oldText, or startLine and endLine');
    return withMatch(text, { text: replaceLines(text, range, newText), line: range.first, occurrences: 1 });
  }
  const replaceable = { ...edit, oldText };
  if (!range) return replaceText(text, replaceable);
  const { start, end } = offsetsOf(text, range);
  const part = replaceText(text.slice(start, end), replaceable);
  return {
    ...part,
    text: text.slice(0, start) + part.text + text.slice(end),
    line: part.line + range.first - 1,
  };
}

function replaceText(text: string, edit: Replaceable): AppliedText {
  const all = edit.count === undefined ? undefined : replaceOccurrences(text, edit, edit.count);
  if (all) return withMatch(text, all);
  const { start, end, replacement, tolerant } = found(text, edit);
  const line = lineNumber(text, start);
  const next = text.slice(0, start) + replacement + text.slice(end);
  const match = next === text ? 'unchanged' : tolerant ? 'tolerant' : 'exact';
  return { text: next, line, match, occurrences: 1 };
}

function found(text: string, { oldText, newText }: Replaceable) {
  // An edit without effect need not be unique.
  const at = oldText && oldText === newText ? text.indexOf(oldText) : -1;
  if (at >= 0) return { start: at, end: at + oldText.length, replacement: newText, tolerant: false };
  return locateEdit(text, oldText, newText);
}
