import type { Edit } from './apply-edits.ts';

/** Whether edits may be taken back by one with `oldText` and `newText` exchanged: there is one, of a literal text. */
export function isExchangeable(edits: readonly Edit[]): boolean {
  const [edit] = edits;
  if (edits.length !== 1 || !edit?.oldText || edit.newText === '') return false;
  return !edit.regex && edit.startLine === undefined && edit.endLine === undefined;
}

/** Whether the exchanged edit turns a text into what it was before. */
export function isReversed(before: string, after: string, { oldText = '', newText }: Edit): boolean {
  return after.split(newText).join(oldText) === before;
}
