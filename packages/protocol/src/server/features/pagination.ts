import { Buffer } from 'node:buffer';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';

/**
 * The end of a page: the key of its last entry, and the number of entries up to it. The key stays valid if
 * entries before it are added or removed; the number is used if that entry itself is removed.
 */
export type Place = { readonly key: string; readonly count: number };

/**
 * One page and the cursor of the next page. A cursor is valid while the server runs, and for its own list
 * only.
 */
export type Page<T> = { readonly items: readonly T[]; readonly nextCursor?: string };

export function pageOf<T>(
  list: string,
  items: readonly T[],
  keyOf: (item: T) => string,
  cursor: unknown,
  size: number,
): Page<T> {
  const start = cursor === undefined ? 0 : startOf(readCursor(list, cursor), items, keyOf);
  const end = start + size;
  const last = items[end - 1];
  return {
    items: start === 0 && end >= items.length ? items : items.slice(start, end),
    ...(end < items.length &&
      last !== undefined && { nextCursor: cursorOf(list, { key: keyOf(last), count: end }) }),
  };
}

function startOf<T>({ key, count }: Place, items: readonly T[], keyOf: (item: T) => string): number {
  // In an unchanged list, `count` identifies the entry, even if another entry has the same key.
  const last = items[count - 1];
  if (last !== undefined && keyOf(last) === key) return count;
  const index = items.findIndex((item) => keyOf(item) === key);
  return index === -1 ? Math.min(count, items.length) : index + 1;
}

function cursorOf(list: string, { key, count }: Place): string {
  return Buffer.from(JSON.stringify([list, count, key])).toString('base64url');
}

function readCursor(list: string, cursor: unknown): Place {
  if (typeof cursor === 'string') {
    try {
      const [name, count, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      if (name === list && Number.isInteger(count) && (count as number) > 0 && typeof key === 'string') {
        return { key, count: count as number };
      }
    } catch {
      // A malformed cursor is answered like the cursor of another list.
    }
  }
  throw new RpcError(invalidParams, `Not a cursor of ${list}; leave it out to start from the first page`);
}
