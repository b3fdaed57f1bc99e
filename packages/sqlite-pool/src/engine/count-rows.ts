import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../sql/quote-identifier.ts';

export function countRowsUpTo(limit: number, database: Database.Database, table: string): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${quoteIdentifier(table)} LIMIT ${limit})`;
  return database.prepare(sql).pluck().get() as number;
}

export function countAllRows(database: Database.Database, table: string): number {
  return database
    .prepare(`SELECT count(*) FROM ${quoteIdentifier(table)}`)
    .pluck()
    .get() as number;
}
