import { applyEdit } from './apply-edit.ts';
import type { AppliedEdit, Edit } from './edit.ts';
import { NoOccurrence } from './no-occurrence.ts';
import type { RegexReplacer } from './regex-replacer.ts';

export interface EditTextOptions {
  /** Leave out edits that do not occur, or that occur only with different white space. Default: false. */
  readonly isPartial?: boolean;
}

export interface EditedText {
  readonly text: string;
  /** One element per edit; undefined if the edit was left out. */
  readonly applied: readonly (AppliedEdit | undefined)[];
}

/**
 * Applies edits one after the other. If an edit cannot be applied, the error names the number of the edit.
 */
export async function editText(
  text: string,
  edits: readonly Edit[],
  regex: RegexReplacer,
  { isPartial = false }: EditTextOptions = {},
): Promise<EditedText> {
  if (edits.length === 0) throw new Error('edits is empty; give at least one edit');
  let edited = text;
  const applied: (AppliedEdit | undefined)[] = [];
  for (const [index, edit] of edits.entries()) {
    try {
      const { text: next, ...rest } = await applyEdit(edited, edit, regex);
      const isLeftOut = isPartial && rest.match === 'tolerant';
      applied.push(isLeftOut ? undefined : rest);
      if (!isLeftOut) edited = next;
    } catch (error) {
      if (!isPartial || !(error instanceof NoOccurrence)) throw numbered(error, index, edits.length);
      applied.push(undefined);
    }
  }
  return { text: edited, applied };
}

/** Returns the error of an edit; if there are several edits, with the number of the edit in its message. */
function numbered(error: unknown, index: number, total: number): unknown {
  if (total === 1 || !(error instanceof Error)) return error;
  return new Error(`Edit ${index + 1} of ${total}: ${error.message}`, { cause: error });
}
