import { quoted } from '../safe-text.ts';

/** Returns the cursor of a list's next page; undefined if this page is the last. */
export function offsetCursor(next: number, total: number): string | undefined {
  return next < total ? String(next) : undefined;
}

export function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new Error(`Invalid cursor: ${quoted(cursor)}; expected the cursor of the previous page`);
}
