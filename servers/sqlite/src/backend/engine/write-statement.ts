import type Database from 'better-sqlite3';
import { type Cell, cellJson } from '../values/cell-json.ts';
import { Refused } from '../errors.ts';
import { refuseUnlessWriting } from '../sql/statement-guard.ts';
import type { Handle } from './connection.ts';
import { boundParameters, type Parameters, withRawText } from '../sql/bind-parameters.ts';
import { tokensOf } from '../sql/tokenizer.ts';

export interface Written {
  /** Rows that the statement itself inserted, changed or deleted. */
  readonly changes: number;
  /** The same with those of triggers and foreign keys. */
  readonly totalChanges: number;
  readonly lastInsertRowid?: unknown;
  /** What RETURNING gave, up to 1,000 rows. */
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  /** Whether it gave more. */
  readonly truncated?: boolean;
  readonly dryRun: boolean;
}

export interface Statement {
  readonly sql: string;
  readonly params?: Parameters | undefined;
  readonly dryRun: boolean;
  /** Bytes of what RETURNING gives at most. */
  readonly maxBytes: number;
}

const mostRows = 1_000;

/**
 * Runs one statement in a transaction of its own, which a dry run undoes. `committing` is called when the rest cannot
 * be undone.
 */
export function writeStatement(
  handle: Handle,
  { sql, params, dryRun, maxBytes }: Statement,
  committing: () => void,
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
    const returned = statement.reader
      ? returnedBy(statement.raw(true).safeIntegers(true), bound, maxBytes)
      : undefined;
    const ran = returned ? undefined : statement.safeIntegers(true).run(...bound);
    const totalChanges = total() - before;
    const changes = returned ? Number(database.prepare('SELECT changes()').pluck().get()) : ran!.changes;
    const inserted = changes > 0 && ran && insertsRowid(database, sql);
    refuseTemporary(database);
    if (!dryRun) committing();
    database.exec(dryRun ? 'ROLLBACK' : 'COMMIT');
    done = true;
    return {
      changes: totalChanges === 0 ? 0 : changes,
      totalChanges,
      ...(inserted && {
        lastInsertRowid: JSON.parse(cellJson(BigInt(ran.lastInsertRowid), maxBytes)) as unknown,
      }),
      ...returned,
      dryRun,
    };
  } finally {
    if (!done && database.inTransaction) database.exec('ROLLBACK');
  }
}

/** What is temporary would be there for the next statement, and hide tables from it, and for nobody who reads. */
function refuseTemporary(database: Database.Database): void {
  if (database.prepare('SELECT 1 FROM temp.sqlite_schema').get() === undefined) return;
  throw new Refused(
    'Nothing temporary is kept from one statement to the next',
    'Leave out TEMP, or put the rows into a WITH of the statement that needs them',
  );
}

/** Whether a statement inserts into a table whose rows have rowids: otherwise the last one is that of another. */
function insertsRowid(database: Database.Database, sql: string): boolean {
  const tokens = [...tokensOf(sql)].map(({ text }) => text);
  if ((tokens[0] !== 'insert' && tokens[0] !== 'replace') || tokens.includes('conflict')) return false;
  const at = tokens.indexOf('into') + 1;
  const name = tokens[at + 1] === '.' ? tokens[at + 2] : tokens[at];
  if (name === undefined) return false;
  const table = /^["'`[]/.test(name) ? name.slice(1, -1).replaceAll(name[0]!.repeat(2), name[0]!) : name;
  const found = database.prepare(
    "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE AND type IN ('table', 'virtual') AND wr = 0",
  );
  return found.get(table) !== undefined;
}

// All rows have to be stepped through, for only then has everything been written.
function returnedBy(
  statement: { iterate(...params: unknown[]): IterableIterator<unknown>; columns(): { name: string }[] },
  params: readonly unknown[],
  maxBytes: number,
) {
  const rows: unknown[][] = [];
  const cellBytes = Math.floor(maxBytes / 4);
  let bytes = 0;
  let truncated = false;
  for (const row of statement.iterate(...params) as Iterable<Cell[]>) {
    if (truncated) continue;
    const cells = row.map((cell) => cellJson(cell, cellBytes));
    bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 2);
    truncated = rows.length === mostRows || bytes > maxBytes;
    if (!truncated) rows.push(cells.map((cell) => JSON.parse(cell) as unknown));
  }
  return { columns: statement.columns().map(({ name }) => name), rows, ...(truncated && { truncated }) };
}
