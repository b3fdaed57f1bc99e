import type Database from 'better-sqlite3';

/** Returns how many rows a connection has changed so far, including changes by triggers and foreign keys. */
export function totalChanges(database: Database.Database): number {
  return Number(database.prepare('SELECT total_changes()').pluck().get());
}
