import { Buffer } from 'node:buffer';
import type { Caller } from '../../define/caller.ts';
import type { CacheHint } from '../../define/resource.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { Revision } from '../../revisions/revision.ts';
import { type Guarded, requireScopes, usableBy } from '../access.ts';
import { cachePrivate, cachePublic, noCache } from '../call/result.ts';

/**
 * The end of a page: the key of its last entry, and the number of entries up to this entry. The key finds the
 * place again if earlier entries were added or removed; the number is used if the last entry was removed.
 */
type Place = { readonly key: string; readonly count: number };

/** How long the client of `caller` may cache a list of these items, and whether other users may share it. */
export function cacheOf(items: readonly Guarded[], caller: Caller | undefined): CacheHint {
  if (!requireScopes(items)) return cachePublic;
  // Another token may show what is hidden now, and without sessions no notification says so.
  return usableBy(items, caller).length < items.length ? noCache : cachePrivate;
}

/** A list that is sent in pages. */
export interface List<Item> {
  /**
   * The name of the list, which is also the name of the result's member with the items. A cursor is valid
   * only for the list with its name.
   */
  readonly name: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly encode: (revision: Revision, item: Item) => JsonObject;
}

/**
 * The members of a result with one page of a list: the items, and a cursor for the next page, if there is
 * one. The cursor is valid while the server runs.
 */
export function pageOf<Item>(
  { name, items, keyOf, encode }: List<Item>,
  revision: Revision,
  cursor: unknown,
  size: number,
): JsonObject {
  const start = cursor === undefined ? 0 : startOf(readCursor(name, cursor), items, keyOf);
  const end = start + size;
  const last = end < items.length ? items[end - 1] : undefined;
  return {
    [name]: items.slice(start, end).map((item) => encode(revision, item)),
    ...(last !== undefined && { nextCursor: cursorOf(name, { key: keyOf(last), count: end }) }),
  };
}

export function nameOf({ name }: { readonly name: string }): string {
  return name;
}

export function uriOf({ uri }: { readonly uri: string }): string {
  return uri;
}

function startOf<T>({ key, count }: Place, items: readonly T[], keyOf: (item: T) => string): number {
  // In an unchanged list, `count` finds the last entry of the former page, even if another entry has the same
  // key.
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
      // A malformed cursor gets the same error as the cursor of another list.
    }
  }
  throw new RpcError(invalidParams, `Invalid "cursor" for ${list}; omit it to start at the first page`);
}
