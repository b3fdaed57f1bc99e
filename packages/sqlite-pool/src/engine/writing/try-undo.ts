import type Database from 'better-sqlite3';
import type { UndoStatement } from './restoring-statement.ts';
import { totalChanges } from './total-changes.ts';

/**
 * Runs and rolls back the statements, so that only an undo that works is suggested. Returns them in an order
 * that succeeds; undefined if there is none, or if `isRestored` returns false.
 */
export function tryUndo(
  database: Database.Database,
  statements: readonly UndoStatement[],
  isRestored: () => boolean,
): readonly string[] | undefined {
  database.exec('SAVEPOINT undo');
  try {
    const order = runInSomeOrder(database, statements);
    return order && isRestored() ? order : undefined;
  } finally {
    database.exec('ROLLBACK TO undo; RELEASE undo');
  }
}

/** Runs the statements. One that fails is run again after the others or, if no order helps, row by row. */
function runInSomeOrder(
  database: Database.Database,
  statements: readonly UndoStatement[],
): readonly string[] | undefined {
  const order: string[] = [];
  let pending = statements;
  while (pending.length > 0) {
    const failed = pending.filter((statement) => {
      const succeeded = runAlone(database, statement);
      if (succeeded) order.push(statement.sql);
      return !succeeded;
    });
    if (failed.length < pending.length) {
      pending = failed;
      continue;
    }
    if (!failed.some(({ rowByRow }) => rowByRow)) return undefined;
    pending = failed.flatMap((statement) => statement.rowByRow ?? [statement]);
  }
  return order;
}

/** Runs a statement. If it fails or changes an unexpected number of rows, rolls it back and returns false. */
function runAlone(database: Database.Database, { sql, changes }: UndoStatement): boolean {
  database.exec('SAVEPOINT one');
  let isExpected = false;
  try {
    const before = totalChanges(database);
    const ran = database.prepare(sql).run();
    isExpected =
      changes === undefined || (ran.changes === changes && totalChanges(database) - before === changes);
  } catch {
    // The statement failed, for example because of a constraint. After other statements, it may succeed.
  }
  database.exec(isExpected ? 'RELEASE one' : 'ROLLBACK TO one; RELEASE one');
  return isExpected;
}
