import type Database from 'better-sqlite3';

/**
 * The number of rows that a connection has changed so far, including those of triggers and foreign key
 * actions.
 */
export function totalChanges(database: Database.Database): number {
  return Number(database.prepare('SELECT total_changes()').pluck().get());
}
