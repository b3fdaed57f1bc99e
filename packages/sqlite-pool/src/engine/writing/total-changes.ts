import type Database from 'better-sqlite3';

/** The rows that a connection has changed so far, those of triggers and foreign key actions included. */
export function totalChanges(database: Database.Database): number {
  return Number(database.prepare('SELECT total_changes()').pluck().get());
}
