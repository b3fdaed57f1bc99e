import { quoted } from '../safe-text.ts';

/** The cursor of the next page of a list; undefined on the last page. */
export function offsetCursor(next: number, total: number): string | undefined {
  return next < total ? String(next) : undefined;
}

export function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new Error(`Invalid cursor: ${quoted(cursor)}; expected the cursor of the previous page`);
}
