import type Database from 'better-sqlite3';

/** How many rows a connection has changed so far, also by triggers and foreign key actions. */
export function totalChanges(database: Database.Database): number {
  return Number(database.prepare('SELECT total_changes()').pluck().get());
}
