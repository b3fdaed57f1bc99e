import { fittingLines } from './bounds.ts';
import type { TextPage } from '../parse/text-page-reader.ts';

/** A count with its noun, such as `1 branch` or `3 branches`. */
export function countText(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

const maxListed = 500;

/** A list followed by its number of lines. At most 500 lines are shown. */
export function countedList(lines: readonly string[], one: string, several?: string): string {
  const count = countText(lines.length, one, several);
  const shown = Math.min(maxListed, fittingLines(lines));
  const end = lines.length > shown ? `… ${count}, of which the first ${shown}` : count;
  return [...lines.slice(0, shown), end].join('\n');
}

/** A page of text, with the cursor of the next page. `empty` replaces an empty text. */
export function pageText({ text, nextCursor, within }: TextPage, empty: string): string {
  if (text === '') return empty;
  const before = within === undefined ? '' : `(continues ${within})\n`;
  const after = nextCursor === undefined ? '' : `\n… more with cursor "${nextCursor}"`;
  return before + text + after;
}

interface PageCounts {
  /** The number of items on the earlier pages. */
  readonly before: number;
  readonly shown: number;
  readonly one: string;
  readonly nextCursor: string | undefined;
  /** Whether the history is shallow, so that older commits were never fetched. */
  readonly shallow?: boolean;
  /** What else is known about the whole list, if this page is its last. */
  readonly note?: string | undefined;
}

/** The last page says how many items there are; others do not, because git would walk the whole history. */
export function endOfPage({ before, shown, one, nextCursor, shallow, note }: PageCounts): string {
  if (nextCursor !== undefined) return `… more with cursor "${nextCursor}"`;
  return (
    countText(before + shown, one) +
    (before === 0 ? '' : ' in all') +
    (shallow ? '; the history is shallow' : '') +
    (note === undefined ? '' : `; ${note}`)
  );
}
