import { decodeCursor, encodeCursor, invalidCursor } from '../../values/page-cursor.ts';
import type { TableSummary } from './tables.ts';

/** The limits of a page: the number of tables, and the sum of their sizes. A table alone may be larger. */
interface PageLimits {
  readonly maxTables: number;
  readonly maxSize: number;
  readonly sizeOf: (table: TableSummary) => number;
}

/** A cursor has the name of the page's last table, or its index if the name is longer than this. */
const maxCursorName = 1_000;

/** Returns the page that begins after `cursor`. `all` are the tables in the order of their names. */
export function tablePage(
  all: readonly TableSummary[],
  cursor: string | undefined,
  { maxTables, maxSize, sizeOf }: PageLimits,
): { readonly page: readonly TableSummary[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : startOf(all, cursor);
  let size = 0;
  let end = start;
  while (end < all.length && end - start < maxTables) {
    size += sizeOf(all[end]!);
    if (size > maxSize && end > start) break;
    end++;
  }
  const page = all.slice(start, end);
  if (end === all.length) return { page };
  const { name } = page.at(-1)!;
  return { page, nextCursor: encodeCursor(['tables', name.length > maxCursorName ? end : name]) };
}

/**
 * Returns the index of the first table after a cursor. The cursor has the name of the table before it or, if
 * that name is very long, the index itself.
 */
function startOf(all: readonly TableSummary[], cursor: string): number {
  const [kind, after] = decodeCursor(cursor);
  if (kind === 'tables' && Number.isSafeInteger(after) && (after as number) >= 0) return after as number;
  if (kind !== 'tables' || typeof after !== 'string') throw invalidCursor(cursor);
  const start = all.findIndex(({ name }) => isAfter(name, after));
  return start === -1 ? all.length : start;
}

/** Whether a name comes after another one in the order of SQLite's BINARY collation. */
function isAfter(name: string, other: string): boolean {
  return Buffer.compare(Buffer.from(name), Buffer.from(other)) > 0;
}
