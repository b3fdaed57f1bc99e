import { createHash } from 'node:crypto';
import { Refused } from '../errors.ts';

/** Where the next page of a query begins, and of which query and which commit. */
interface QueryCursor {
  readonly offset: number;
  /** What was asked. */
  readonly query: string;
  /** The last commit at that time. */
  readonly change: string;
}

export function queryCursor(offset: number, query: string, change: string): string {
  return encode([offset, hashed(query), hashed(change)]);
}

/** Rows to skip. Throws where the cursor is of another query, or somebody has committed since. */
export function offsetOf(cursor: string, { query, change }: Omit<QueryCursor, 'offset'>): number {
  const [offset, ofQuery, ofChange] = decode(cursor);
  if (!Number.isSafeInteger(offset) || (offset as number) < 0) throw notACursor(cursor);
  if (ofQuery !== hashed(query)) {
    throw new Refused('The cursor is of another query: give it with the same sql, params and database');
  }
  if (ofChange !== hashed(change)) {
    throw new Refused(
      'The cursor is stale: the database has changed since the page before',
      'Ask again without cursor; page by a key (WHERE id > ? ORDER BY id) to go on while others write',
    );
  }
  return offset as number;
}

/** A cursor of any JSON values. */
export function encode(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

export function decode(cursor: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values)) return values;
  } catch {
    // Told below.
  }
  throw notACursor(cursor);
}

export function notACursor(cursor: string): Refused {
  const shown = cursor.length > 40 ? `${cursor.slice(0, 40)}…` : cursor;
  return new Refused(`Not a cursor: ${JSON.stringify(shown)}; accepted is the nextCursor of the page before`);
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
