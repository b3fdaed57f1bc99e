import type { AppliedEdit, Edit, Replaceable } from './edit.ts';
import { offsetsOf, replaceLines, type LineRange } from './line-range.ts';
import { locateEdit, lineNumber } from './locate-edit.ts';
import type { RegexReplacer } from './regex-replacer.ts';
import { replaceOccurrences } from './replace-occurrences.ts';

export type AppliedText = AppliedEdit & { readonly text: string };

/** Applies one edit to a text. Throws if it cannot be applied. */
export async function applyEdit(text: string, edit: Edit, regex: RegexReplacer): Promise<AppliedText> {
  const { oldText, newText } = edit;
  if (oldText === '') throw new Error('oldText is empty; give the text to replace');
  if (oldText?.isWellFormed() === false || !newText.isWellFormed())
    throw new Error('oldText or newText contains a lone surrogate (invalid Unicode)');
  const range = rangeOf(edit);
  if (oldText === undefined) {
    if (edit.regex) throw new Error('regex is set without oldText; give the regular expression as oldText');
    if (!range)
      throw new Error('The edit has neither oldText nor startLine; give the text or the lines to replace');
    return withMatch(text, { text: replaceLines(text, range, newText), line: range.first, occurrences: 1 });
  }
  const replaceable = { ...edit, oldText };
  const { start, end } = range ? offsetsOf(text, range) : { start: 0, end: text.length };
  const part = text.slice(start, end);
  const replaced = edit.regex
    ? withMatch(part, await regex.replace(part, replaceable))
    : replaceText(part, replaceable);
  return {
    ...replaced,
    text: text.slice(0, start) + replaced.text + text.slice(end),
    line: replaced.line + (range ? range.first - 1 : 0),
  };
}

/** Replaces a literal text: its only occurrence or, if `count` is given, all occurrences. */
export function replaceText(text: string, edit: Replaceable): AppliedText {
  const all = edit.count === undefined ? undefined : replaceOccurrences(text, edit, edit.count);
  if (all) return withMatch(text, all);
  const { start, end, replacement, tolerant } = found(text, edit);
  const line = lineNumber(text, start);
  const next = text.slice(0, start) + replacement + text.slice(end);
  const match = next === text ? 'unchanged' : tolerant ? 'tolerant' : 'exact';
  return { text: next, line, match, occurrences: 1 };
}

function withMatch(before: string, replaced: Omit<AppliedText, 'match'>): AppliedText {
  return { ...replaced, match: replaced.text === before ? 'unchanged' : 'exact' };
}

function rangeOf({ startLine, endLine }: Edit): LineRange | undefined {
  if (startLine === undefined && endLine === undefined) return undefined;
  return { first: startLine ?? 1, last: endLine ?? startLine! };
}

function found(text: string, { oldText, newText }: Replaceable) {
  // An edit whose `newText` is its `oldText` changes nothing, so `oldText` may occur more than once.
  const at = oldText && oldText === newText ? text.indexOf(oldText) : -1;
  if (at >= 0) return { start: at, end: at + oldText.length, replacement: newText, tolerant: false };
  return locateEdit(text, oldText, newText);
}
