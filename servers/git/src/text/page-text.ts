import type { TextPage } from '../backend/commands/text-page-reader.ts';

/** A page of text, with the cursor of the next page. `empty` replaces an empty text. */
export function pageText({ text, nextCursor, within }: TextPage, empty: string): string {
  if (text === '') return empty;
  const before = within === undefined ? '' : `(continues ${within})\n`;
  const after = nextCursor === undefined ? '' : `\n… more with cursor "${nextCursor}"`;
  return before + text + after;
}
