import type Database from 'better-sqlite3';
import { tokenize } from '../../sql/tokenizer.ts';
import type { UndoStatement } from './restoring-statement.ts';
import type { RowTable } from './rows-by-rowid.ts';

/** The AUTOINCREMENT counter of a table; undefined if the table has none, or has never had a row. */
export function sequenceOf(database: Database.Database, { name, sql }: RowTable): bigint | undefined {
  if (!/autoincrement/i.test(sql) || ![...tokenize(sql)].some(({ text }) => text === 'autoincrement'))
    return undefined;
  return database
    .prepare('SELECT seq FROM sqlite_sequence WHERE name = ?')
    .pluck()
    .safeIntegers(true)
    .get(name) as bigint | undefined;
}

/**
 * Returns the statement that sets the AUTOINCREMENT counter of a table back to `before`; none if the counter
 * has not changed. The statement does nothing if further rows were inserted after the transaction.
 */
export function restoringSequence(
  { name }: RowTable,
  before: bigint | undefined,
  now: bigint | undefined,
): readonly UndoStatement[] {
  if (now === undefined || before === now) return [];
  const which = `WHERE name = '${name.replaceAll("'", "''")}' AND seq = ${now}`;
  const sql =
    before === undefined
      ? `DELETE FROM sqlite_sequence ${which}`
      : `UPDATE sqlite_sequence SET seq = ${before} ${which}`;
  return [{ sql, changes: 1 }];
}
