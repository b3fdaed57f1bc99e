import type Database from 'better-sqlite3';
import { type Connection, emptyDatabase } from '../connection.ts';

interface TransactionOptions {
  /** Whether to create the database file if it is missing. */
  readonly create: boolean;
  /** Whether to roll back instead of committing. */
  readonly dryRun: boolean;
  readonly committing: () => void;
}

/**
 * Calls `run` in a transaction, with `created` true if this call created the database file. If `run` throws,
 * nothing is changed.
 */
export function inTransaction<Result>(
  connection: Connection,
  { create, dryRun, committing }: TransactionOptions,
  run: (database: Database.Database, created: boolean) => Result,
): Result {
  const isMissing = create && connection.isMissing;
  if (isMissing && dryRun) return inEmptyDatabase(run);
  const created = isMissing && connection.create();
  try {
    return transact(connection.refresh(), { dryRun, committing }, (database) => run(database, created));
  } catch (error) {
    if (created) connection.deleteEmpty();
    throw error;
  }
}

function transact<Result>(
  database: Database.Database,
  { dryRun, committing }: Pick<TransactionOptions, 'dryRun' | 'committing'>,
  run: (database: Database.Database) => Result,
): Result {
  database.exec('BEGIN IMMEDIATE');
  let isDone = false;
  try {
    const result = run(database);
    if (!dryRun) committing();
    database.exec(dryRun ? 'ROLLBACK' : 'COMMIT');
    isDone = true;
    return result;
  } finally {
    if (!isDone && database.inTransaction) database.exec('ROLLBACK');
  }
}

function inEmptyDatabase<Result>(run: (database: Database.Database, created: boolean) => Result): Result {
  const database = emptyDatabase();
  try {
    return run(database, true);
  } finally {
    database.close();
  }
}
