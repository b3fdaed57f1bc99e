import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import type { Cell } from '../../values/cell-json.ts';

/** If a table has more bytes, only its first rows are part of the digest. */
const maxBytes = 16 * 1024 * 1024;

/** Returns a digest of the rows of a table, in SQLite's order; undefined if the table does not exist. */
export function rowsDigest(database: Database.Database, table: string): string | undefined {
  const name = quoteIdentifier(table);
  if (database.prepare('SELECT 1 FROM pragma_table_list WHERE name = ?').get(table) === undefined)
    return undefined;
  const rows = database.prepare(`SELECT * FROM ${name}`).safeIntegers(true).raw(true).iterate();
  const hash = createHash('sha1');
  let bytes = 0;
  for (const row of rows as Iterable<Cell[]>) {
    for (const cell of row) {
      const value = cell instanceof Uint8Array ? cell : String(cell);
      hash.update(`${typeof cell} ${value.length} `).update(value);
      bytes += value.length + 8;
    }
    if (bytes > maxBytes) break;
  }
  return hash.digest('base64url');
}
