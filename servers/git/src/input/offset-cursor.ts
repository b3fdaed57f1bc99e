import { quoted } from '../backend/display-name.ts';

/** Where the next page of a list begins, while there is one. */
export function offsetCursor(next: number, total: number): string | undefined {
  return next < total ? String(next) : undefined;
}

export function parseOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new Error(`Not a cursor: ${quoted(cursor)}; accepted is the nextCursor of the page before`);
}
