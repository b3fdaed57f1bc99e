import type { JsonObject } from '@mcp/protocol/proxy';
import { invalid } from '../gateway-error.ts';

/** Many clients read the first page alone. */
const pageSize = 1_000;

/**
 * One page of a list, with the cursor of the next: the last entry by its key, and its place where it is gone.
 */
export function listPage<T>(
  member: string,
  entries: readonly (readonly [key: string, item: T])[],
  cursor: unknown,
): JsonObject {
  const start = cursor === undefined ? 0 : startOf(member, entries, cursor);
  const page = entries.slice(start, start + pageSize);
  const last = page.at(-1);
  const items = page.map(([, item]) => item);
  if (!last || start + pageSize >= entries.length) return { [member]: items };
  const next = JSON.stringify([member, start + pageSize, last[0]]);
  return { [member]: items, nextCursor: Buffer.from(next).toString('base64url') };
}

function startOf(member: string, entries: readonly (readonly [string, unknown])[], cursor: unknown): number {
  const place = typeof cursor === 'string' ? parse(cursor) : undefined;
  if (!place || place.member !== member)
    throw invalid(`Not a cursor of ${member}: ${JSON.stringify(cursor)}`);
  const index = entries.findIndex(([key]) => key === place.key);
  return index === -1 ? Math.min(place.count, entries.length) : index + 1;
}

function parse(cursor: string): { member: string; count: number; key: string } | undefined {
  try {
    const [member, count, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof member === 'string' && Number.isInteger(count) && typeof key === 'string')
      return { member, count: Number(count), key };
  } catch {
    // It is refused as the cursor of another list is.
  }
  return undefined;
}
