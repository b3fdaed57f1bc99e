import type Database from 'better-sqlite3';
import { parseExactJson } from '../exact-json.ts';
import { type Cell, cellJson } from '../values/cell-json.ts';
import { Refused } from '../errors.ts';
import { assertWriting, dataChange } from '../sql/statement-guard.ts';
import type { Connection } from './connection.ts';
import { type Loss, LossDetector } from './detect-loss.ts';
import { boundParameters, type SqlParameters, withRawText } from '../sql/bind-parameters.ts';

export interface WriteResult {
  /** Rows that the statement itself inserted, updated or deleted. */
  readonly changes: number;
  /** Including those of triggers and foreign key actions. */
  readonly totalChanges: number;
  readonly lastInsertRowid?: unknown;
  /** The rows of RETURNING, up to 1,000. */
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  /** Whether RETURNING had more rows. */
  readonly truncated?: boolean;
  readonly dryRun: boolean;
  /** Found by `detectLoss`. */
  readonly loss?: Loss;
}

export interface WriteRequest {
  readonly sql: string;
  readonly params?: SqlParameters | undefined;
  readonly dryRun: boolean;
  /** Bytes of the rows of RETURNING at most. */
  readonly maxBytes: number;
  /** In a dry run: whether to find a table of which all rows would be deleted or changed. */
  readonly detectLoss?: boolean | undefined;
}

const maxReturnedRows = 1_000;

/**
 * Runs one statement in a transaction of its own, which a dry run rolls back. `committing` is called before the
 * commit, whose outcome is unknown if the process is killed after that.
 */
export function writeStatement(
  connection: Connection,
  { sql, params, dryRun, maxBytes, detectLoss = false }: WriteRequest,
  committing: () => void,
): WriteResult {
  assertWriting(sql);
  const database = connection.refresh();
  const total = () => Number(database.prepare('SELECT total_changes()').pluck().get());
  database.exec('BEGIN IMMEDIATE');
  let isDone = false;
  try {
    const before = total();
    const statement = database.prepare(withRawText(sql, params));
    if (statement.readonly) throw new Refused('This statement only reads', 'Use the tool query');
    const bound = boundParameters(sql, params);
    const detector = detectLoss ? new LossDetector(database, withRawText(sql, params), bound) : undefined;
    if (detector && !detector.mayLose) return { changes: 0, totalChanges: 0, dryRun };
    const returned = statement.reader
      ? returnedRows(statement.raw(true).safeIntegers(true), bound, maxBytes)
      : undefined;
    const ran = returned ? undefined : statement.safeIntegers(true).run(...bound);
    const totalChanges = total() - before;
    const changes = returned ? Number(database.prepare('SELECT changes()').pluck().get()) : ran!.changes;
    const inserted = changes > 0 && ran && insertsRowid(database, sql);
    refuseTemporary(database);
    const loss = detector?.find(changes, totalChanges);
    if (!dryRun) committing();
    database.exec(dryRun ? 'ROLLBACK' : 'COMMIT');
    isDone = true;
    return {
      changes: totalChanges === 0 ? 0 : changes,
      totalChanges,
      ...(inserted && {
        lastInsertRowid: JSON.parse(cellJson(BigInt(ran.lastInsertRowid), maxBytes)) as unknown,
      }),
      ...returned,
      dryRun,
      ...(loss && { loss }),
    };
  } finally {
    if (!isDone && database.inTransaction) database.exec('ROLLBACK');
  }
}

/** Temporary objects would outlive the statement in this process, hide tables from the next one, and be invisible to readers. */
function refuseTemporary(database: Database.Database): void {
  if (database.prepare('SELECT 1 FROM temp.sqlite_schema').get() === undefined) return;
  throw new Refused(
    'Temporary tables, views and triggers are not supported: they would not outlive the statement',
    'Leave out TEMP, or use a WITH clause in the statement that needs the rows',
  );
}

/** Whether a statement inserts into a table with rowids: otherwise `lastInsertRowid` is of an earlier insert. */
function insertsRowid(database: Database.Database, sql: string): boolean {
  const change = dataChange(sql);
  if (change?.verb !== 'insert' && change?.verb !== 'replace') return false;
  if (/\bconflict\b/i.test(sql)) return false;
  const found = database.prepare(
    "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE AND type IN ('table', 'virtual') AND wr = 0",
  );
  return found.get(change.table) !== undefined;
}

/** Steps through all rows, since the statement has written everything only after the last one. */
function returnedRows(
  statement: { iterate(...params: unknown[]): IterableIterator<unknown>; columns(): { name: string }[] },
  params: readonly unknown[],
  maxBytes: number,
) {
  const rows: unknown[][] = [];
  const maxCellBytes = Math.floor(maxBytes / 4);
  let bytes = 0;
  let truncated = false;
  for (const row of statement.iterate(...params) as Iterable<Cell[]>) {
    if (truncated) continue;
    const cells = row.map((cell) => cellJson(cell, maxCellBytes));
    bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 2);
    truncated = rows.length === maxReturnedRows || bytes > maxBytes;
    if (!truncated) rows.push(cells.map((cell) => parseExactJson(cell)));
  }
  return { columns: statement.columns().map(({ name }) => name), rows, ...(truncated && { truncated }) };
}
