import { displayName } from '../backend/display-name.ts';
import type { Page } from '../backend/commands/text-page.ts';

/** A page of a long text as the model reads it. */
export function pageText({ text, nextCursor, within }: Page, empty: string): string {
  if (text === '') return empty;
  const before = within === undefined ? '' : `(continues ${displayName(within)})\n`;
  const after = nextCursor === undefined ? '' : `\n… there is more; go on with cursor "${nextCursor}"`;
  return before + text + after;
}
