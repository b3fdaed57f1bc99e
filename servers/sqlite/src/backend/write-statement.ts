import { type Cell, cellJson } from './cell.ts';
import { Refused } from './failure.ts';
import { refuseUnlessWriting } from './gate.ts';
import type { Handle } from './handle.ts';
import { boundParameters, type Parameters, withRawText } from './parameters.ts';

export interface Written {
  /** Rows that the statement itself inserted, changed or deleted. */
  readonly changes: number;
  /** The same with those of triggers and foreign keys. */
  readonly totalChanges: number;
  readonly lastInsertRowid?: unknown;
  /** What RETURNING gave, up to 1,000 rows. */
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly dryRun: boolean;
}

const mostRows = 1_000;
const cellBytes = 64 * 1024;

/** Runs one statement in a transaction of its own, which a dry run undoes. */
export function writeStatement(
  handle: Handle,
  {
    sql,
    params,
    dryRun,
  }: { readonly sql: string; readonly params?: Parameters | undefined; readonly dryRun: boolean },
): Written {
  refuseUnlessWriting(sql);
  const database = handle.refresh();
  const total = () => Number(database.prepare('SELECT total_changes()').pluck().get());
  database.exec('BEGIN IMMEDIATE');
  let done = false;
  try {
    const before = total();
    const statement = database.prepare(withRawText(sql, params));
    if (statement.readonly) throw new Refused('This statement only reads', 'Use the tool query');
    const bound = boundParameters(sql, params);
    const returned = statement.reader ? returnedBy(statement.raw(true).safeIntegers(true), bound) : undefined;
    const ran = returned ? undefined : statement.safeIntegers(true).run(...bound);
    const totalChanges = total() - before;
    const changes = returned ? Number(database.prepare('SELECT changes()').pluck().get()) : ran!.changes;
    const inserted = /^\s*(?:insert|replace)\b/i.test(sql) && changes > 0 && ran;
    database.exec(dryRun ? 'ROLLBACK' : 'COMMIT');
    done = true;
    return {
      changes: totalChanges === 0 ? 0 : changes,
      totalChanges,
      ...(inserted && {
        lastInsertRowid: JSON.parse(cellJson(BigInt(ran.lastInsertRowid), cellBytes)) as unknown,
      }),
      ...returned,
      dryRun,
    };
  } finally {
    if (!done && database.inTransaction) database.exec('ROLLBACK');
  }
}

// All rows have to be stepped through, for only then has everything been written.
function returnedBy(
  statement: { iterate(...params: unknown[]): IterableIterator<unknown>; columns(): { name: string }[] },
  params: readonly unknown[],
) {
  const rows: unknown[][] = [];
  for (const row of statement.iterate(...params) as Iterable<Cell[]>) {
    if (rows.length < mostRows)
      rows.push(row.map((cell) => JSON.parse(cellJson(cell, cellBytes)) as unknown));
  }
  return { columns: statement.columns().map(({ name }) => name), rows };
}
