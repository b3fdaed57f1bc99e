import type { JsonObject } from '@mcp/protocol/proxy';
import { invalid } from '../gateway-error.ts';

/** Maximum number of items in a page; it is large, because many clients read only the first page. */
const defaultPageSize = 1_000;

/**
 * One page of a list. The cursor contains the key of the page's last item, and its position, which is used if
 * the list does not have this item any more.
 */
export function listPage<T>(
  member: string,
  items: readonly T[],
  keyOf: (item: T) => string,
  cursor: unknown,
  pageSize = defaultPageSize,
): JsonObject {
  let start = 0;
  if (cursor !== undefined) {
    const place = typeof cursor === 'string' ? parse(cursor) : undefined;
    if (place?.member !== member) {
      const advice = 'leave it out to start from the first page';
      throw invalid(`Not a cursor of ${member}: ${JSON.stringify(cursor)}; ${advice}`);
    }
    const index = items.findIndex((item) => keyOf(item) === place.key);
    start = index === -1 ? Math.min(place.count, items.length) : index + 1;
  }
  const page = items.slice(start, start + pageSize);
  const last = page.at(-1);
  if (!last || start + pageSize >= items.length) return { [member]: page };
  const next = JSON.stringify([member, start + pageSize, keyOf(last)]);
  return { [member]: page, nextCursor: Buffer.from(next).toString('base64url') };
}

function parse(cursor: string): { member: string; count: number; key: string } | undefined {
  try {
    const [member, count, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof member === 'string' && Number.isInteger(count) && typeof key === 'string')
      return { member, count: Number(count), key };
  } catch {
    // The cursor cannot be read: the caller refuses it, just as it refuses the cursor of another list.
  }
  return undefined;
}
