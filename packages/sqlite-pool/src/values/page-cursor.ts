import { createHash } from 'node:crypto';
import { beginningOf, Refused } from '../errors.ts';

interface CursorOrigin {
  /** A text that identifies the query. */
  readonly query: string;
  /** The stamp of the database's last commit; see `CommitStamp`. */
  readonly stamp: string;
}

/** Returns a cursor for the page after `offset` rows of a query. It is valid until the next commit. */
export function queryCursor(offset: number, query: string, stamp: string): string {
  return encodeCursor([offset, hashed(query), hashed(stamp)]);
}

/**
 * Returns how many rows a cursor skips. Throws if the cursor belongs to another query, or if there was a
 * commit after the page that returned the cursor.
 */
export function offsetOf(cursor: string, { query, stamp }: CursorOrigin): number {
  const [offset, queryHash, stampHash] = decodeCursor(cursor);
  if (!Number.isSafeInteger(offset) || (offset as number) < 0) throw invalidCursor(cursor);
  if (queryHash !== hashed(query)) {
    throw new Refused('The cursor belongs to another query: pass the same sql, params and database');
  }
  if (stampHash !== hashed(stamp)) {
    throw new Refused(
      'The cursor is stale: the database has changed since the previous page',
      'Repeat the query without cursor; to page while others write, use a key (WHERE id > ? ORDER BY id)',
    );
  }
  return offset as number;
}

/** Encodes JSON values as an opaque cursor. */
export function encodeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Decodes a cursor. Throws if the text is not one. */
export function decodeCursor(cursor: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values)) return values;
  } catch {
    // Text that is not JSON is not a cursor, so the error is thrown below.
  }
  throw invalidCursor(cursor);
}

export function invalidCursor(cursor: string): Refused {
  const shown = JSON.stringify(beginningOf(cursor, 40));
  return new Refused(`Invalid cursor: ${shown}; expected the nextCursor of the previous page`);
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
