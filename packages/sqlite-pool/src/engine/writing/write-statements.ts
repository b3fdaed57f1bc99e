import { parseExactJson } from '@mcp/kit';
import type Database from 'better-sqlite3';
import { type Cell, cellJson } from '../../values/cell-json.ts';
import { Refused } from '../../errors.ts';
import { isUpsert, resolvesConflicts } from '../../sql/conflict-clauses.ts';
import { assertWriting, dataChange, destructiveKind } from '../../sql/statement-guard.ts';
import { tokenize } from '../../sql/tokenizer.ts';
import type { Connection } from '../connection.ts';
import { SchemaChanges } from './schema-changes.ts';
import { rowsDigest } from './rows-digest.ts';
import { inTransaction } from './transaction.ts';
import { totalChanges } from './total-changes.ts';
import { UndoStatements } from './undo-statements.ts';
import type { WriteEvents } from './write-events.ts';
import { errorIn } from '../describe-error.ts';
import { type Loss, LossDetector } from './detect-loss.ts';
import { boundParameters, type SqlParameters, withRawText } from '../../sql/bind-parameters.ts';

export interface StatementResult {
  /** The number of rows that the statement itself inserted, updated or deleted. */
  readonly changes: number;
  /** The number of changed rows, including those that triggers and foreign keys changed. */
  readonly totalChanges: number;
  readonly lastInsertRowid?: unknown;
  /** The columns of a RETURNING clause. `rows` has the first rows that the clause returned, at most 1,000. */
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  /** The number of rows that RETURNING returned, if `rows` does not have all of them. */
  readonly returned?: number;
  /** What the statement changed in the schema, such as `create table log` or `drop table log with 3 rows`. */
  readonly schemaChanges?: readonly string[];
  /** The table of which the statement deleted or changed all rows, at least two; only with `detectLoss`. */
  readonly loss?: Loss;
  /**
   * The table in `loss`, or the table that DROP TABLE drops, or that a DELETE or UPDATE without WHERE
   * changes.
   */
  readonly loses?: string;
  /** A digest of the rows that the table `loses` had before the statements; only with `detectLoss`. */
  readonly digest?: string;
}

export interface WriteStatement {
  readonly sql: string;
  /** The values for one run, or an array with the values of several runs of the statement. */
  readonly params?: SqlParameters | undefined;
}

export interface WriteRequest {
  readonly statements: readonly WriteStatement[];
  /** Whether to roll back instead of committing; defaults to false. */
  readonly dryRun?: boolean | undefined;
  /** Maximum number of bytes of the rows that RETURNING clauses return. */
  readonly maxBytes: number;
  /** Whether to run a trial: roll back, and find tables of which all rows would be deleted or changed. */
  readonly detectLoss?: boolean | undefined;
  /** Changes that the user confirmed for each statement, or null for none; other changes are refused. */
  readonly confirmed?: readonly (ConfirmedChange | null)[] | undefined;
  /** Whether to create the database file if it is missing. */
  readonly create?: boolean | undefined;
}

/** The changes of a statement in a dry run, which the user was asked to confirm. */
export type ConfirmedChange = Pick<
  StatementResult,
  'changes' | 'loss' | 'schemaChanges' | 'loses' | 'digest'
>;

export interface WriteResult {
  readonly results: readonly StatementResult[];
  /**
   * Statements that undo the transaction, in order. Empty in a dry run, and if `UndoStatements` finds none.
   */
  readonly undo: readonly string[];
  /** Whether no statements are known that would undo the transaction. */
  readonly lacksUndo?: boolean;
  /** Whether there is no undo although old rows or objects are changed or deleted. */
  readonly isFinal?: boolean;
}

const maxReturnedRows = 1_000;

/** Runs statements in one transaction or as a dry run. If a statement fails, throws and changes nothing. */
export function writeStatements(
  connection: Connection,
  { statements, dryRun = false, maxBytes, detectLoss = false, confirmed, create = false }: WriteRequest,
  { committing }: WriteEvents,
): WriteResult {
  const nameOf = (index: number) =>
    statements.length === 1 ? undefined : `Statement ${index + 1} of ${statements.length}`;
  for (const [index, { sql }] of statements.entries()) named(nameOf(index), () => assertWriting(sql));
  // A plain INSERT loses nothing. If it is the only statement, it need not run to find the losses.
  const maySkip = detectLoss && statements.length === 1;
  return inTransaction(connection, { create, dryRun, committing }, (database, created) => {
    const undo = created ? undefined : new UndoStatements(connection.path, database);
    const rowsBefore = detectLoss || confirmed ? new Map<string, number>() : undefined;
    const replaced = replacedRows(database, confirmed ?? []);
    if (detectLoss) database.exec('SAVEPOINT trial');
    const results = statements.map((statement, index) =>
      named(nameOf(index), () => {
        const result = runStatement(database, statement, { maxBytes, rowsBefore, maySkip, undo });
        assertConfirmed(result, confirmed?.[index]);
        return result;
      }),
    );
    if (replaced !== undefined)
      throw changedSince(`The rows of ${JSON.stringify(replaced)} have changed since the confirmation`);
    refuseTemporary(database);
    const found = undo ? undo.find() : [];
    const isFinal = !found && statements.some(({ sql }, index) => changesOld(sql, results[index]!));
    const final = { ...(!found && { lacksUndo: true }), ...(isFinal && { isFinal }) };
    if (detectLoss) {
      database.exec('ROLLBACK TO trial');
      return { results: results.map((result) => withDigest(database, result)), undo: [], ...final };
    }
    return { results, undo: dryRun ? [] : (found ?? []), ...final };
  });
}

/** Whether a statement changed or deleted rows or objects that existed before. */
function changesOld(sql: string, { changes, totalChanges, schemaChanges = [] }: StatementResult): boolean {
  if (schemaChanges.some((change) => !change.startsWith('create '))) return true;
  const adds = schemaChanges.length > 0 || (dataChange(sql)?.verb === 'insert' && !resolvesConflicts(sql));
  return adds ? totalChanges > changes && schemaChanges.length === 0 : totalChanges > 0;
}

/**
 * Calls `run`, and puts `part`, such as `Row 2`, before the messages of its errors. If `part` is undefined,
 * because there are no other parts, the errors stay as they are.
 */
function named<Result>(part: string | undefined, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw part === undefined ? error : errorIn(part, error);
  }
}

/** Throws if the changes differ from those that the user confirmed. */
function assertConfirmed(
  { changes, loss, schemaChanges = [] }: StatementResult,
  confirmed: ConfirmedChange | null | undefined,
): void {
  if (!confirmed) return;
  const [dropped, asked] = [schemaChanges.join(), (confirmed.schemaChanges ?? []).join()];
  if (dropped !== asked) {
    throw changedSince(
      `The database has changed since the confirmation: now ${dropped || 'no schema change'} instead of ${asked || 'no schema change'}`,
    );
  }
  const [now, then] = [loss?.rows ?? changes, confirmed.loss?.rows ?? confirmed.changes];
  if (now === then && changes === confirmed.changes && loss?.table === confirmed.loss?.table) return;
  throw changedSince(
    `The rows have changed since the confirmation: the statement would now affect ${now} rows instead of ${then}`,
  );
}

/** Returns the first table whose rows have changed since the dry run that the user confirmed. */
function replacedRows(
  database: Database.Database,
  confirmed: readonly (ConfirmedChange | null)[],
): string | undefined {
  for (const change of confirmed) {
    if (change?.loses === undefined) continue;
    if (rowsDigest(database, change.loses) !== change.digest) return change.loses;
  }
  return undefined;
}

function withDigest(database: Database.Database, result: StatementResult): StatementResult {
  const digest = result.loses === undefined ? undefined : rowsDigest(database, result.loses);
  return digest === undefined ? result : { ...result, digest };
}

function changedSince(message: string): Refused {
  return new Refused(message, 'Nothing was changed; repeat the write, and confirm it again');
}

interface RunOptions {
  readonly maxBytes: number;
  /**
   * For each table, the row count before the first statement that may lose rows of it. Undefined unless the
   * request looks for losses (`detectLoss`) or has losses that the user confirmed.
   */
  readonly rowsBefore: Map<string, number> | undefined;
  readonly maySkip: boolean;
  readonly undo: UndoStatements | undefined;
}

function runStatement(
  database: Database.Database,
  { sql, params }: WriteStatement,
  { maxBytes, rowsBefore, maySkip, undo }: RunOptions,
): StatementResult {
  const runs = isManyRows(params) ? params : [params];
  const schema = SchemaChanges.before(database, sql);
  const before = totalChanges(database);
  const returned = new ReturnedRows(maxBytes);
  const prepared = new Map<string, Database.Statement<unknown[], unknown>>();
  let detector: LossDetector | undefined;
  let tracked: ReturnType<UndoStatements['track']>;
  let changes = 0;
  let lastRowid: number | bigint | undefined;
  for (const [index, values] of runs.entries()) {
    const exact = withRawText(sql, values);
    const statement = prepared.get(exact) ?? database.prepare(exact).safeIntegers(true);
    prepared.set(exact, statement);
    if (statement.readonly)
      throw new Refused('This statement only reads; expected one that writes', undefined, 'reads');
    if (index === 0) tracked = undo?.track(exact, dataChange(sql));
    const row = runs.length > 1 ? `Row ${index + 1}` : undefined;
    const bound = named(row, () => boundParameters(sql, values));
    if (rowsBefore && index === 0) {
      detector = new LossDetector(database, exact, bound, rowsBefore);
      if (maySkip && !schema && !detector.mayLose) return { changes: 0, totalChanges: 0 };
    }
    if (tracked?.statement && runs.length === 1) {
      changes = undo!.run(tracked, bound);
    } else if (statement.reader) {
      named(row, () => returned.add(statement, bound));
      changes += Number(database.prepare('SELECT changes()').pluck().get());
    } else {
      const ran = named(row, () => statement.run(...bound));
      changes += ran.changes;
      lastRowid = ran.lastInsertRowid;
    }
  }
  const allChanges = totalChanges(database) - before;
  const isInsert = allChanges > 0 && lastRowid !== undefined && insertsRowid(database, sql);
  const loss = detector?.find(changes, allChanges);
  const schemaChanges = schema?.find();
  const loses = rowsBefore && (loss?.table ?? schema?.droppedTable ?? emptiedBy(sql));
  undo?.changed(tracked, changes, schema ? 0 : allChanges);
  if (schema && schemaChanges!.length > 0) undo?.changedSchema(schema.undo(), schema.createdTable());
  if (changesStatistics(sql)) undo?.giveUp();
  return {
    changes: allChanges === 0 ? 0 : changes,
    totalChanges: allChanges,
    ...(isInsert && { lastInsertRowid: JSON.parse(cellJson(BigInt(lastRowid!), maxBytes)) as unknown }),
    ...returned.result,
    ...(schemaChanges && { schemaChanges }),
    ...(loss && { loss }),
    ...(loses !== undefined && { loses }),
  };
}

/** The table of a DELETE or UPDATE without WHERE; undefined for any other statement. */
function emptiedBy(sql: string): string | undefined {
  return destructiveKind(sql) === undefined ? undefined : dataChange(sql)?.table;
}

/** Whether a statement is ANALYZE, which changes SQLite's internal statistics tables. */
function changesStatistics(sql: string): boolean {
  const first = tokenize(sql).next();
  return !first.done && first.value.text === 'analyze';
}

/**
 * Whether `params` has the values of several runs: each element is an array or an object with the values of
 * one run. An object such as `{"$int":"…"}` stands for a single value.
 */
function isManyRows(params: SqlParameters | undefined): params is readonly SqlParameters[] {
  return Array.isArray(params) && params.length > 0 && params.every((element) => isRow(element));
}

function isRow(element: unknown): boolean {
  if (typeof element !== 'object' || element === null) return false;
  return Array.isArray(element) || !Object.keys(element).some((key) => encodedValueKeys.has(key));
}

const encodedValueKeys = new Set(['$int', '$real', '$blob', '$text', '$cut']);

/** Temporary objects could hide tables from later statements, and reading processes would not see them. */
function refuseTemporary(database: Database.Database): void {
  if (database.prepare('SELECT 1 FROM temp.sqlite_schema').get() === undefined) return;
  throw new Refused(
    'Temporary tables, views and triggers are not supported: they would not outlive the statement',
    'Leave out TEMP, or use a WITH clause in the statement that needs the rows',
  );
}

/**
 * Whether `lastInsertRowid` is certainly that of this statement: of an INSERT into a table with rowids. After
 * any other statement, and after an upsert, which may only update, it can be that of an earlier INSERT.
 */
function insertsRowid(database: Database.Database, sql: string): boolean {
  const change = dataChange(sql);
  if (change?.verb !== 'insert' && change?.verb !== 'replace') return false;
  if (isUpsert(sql)) return false;
  const found = database.prepare(
    "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE AND type IN ('table', 'virtual') AND wr = 0",
  );
  return found.get(change.table) !== undefined;
}

/** Collects the rows that a RETURNING clause returns, up to the limits of an answer. */
class ReturnedRows {
  readonly #maxBytes: number;
  readonly #rows: unknown[][] = [];
  #columns: readonly string[] | undefined;
  #bytes = 0;
  #returned = 0;
  #truncated = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get result() {
    if (!this.#columns) return undefined;
    return { columns: this.#columns, rows: this.#rows, ...(this.#truncated && { returned: this.#returned }) };
  }

  /**
   * Runs the statement, and adds its rows. Rows beyond the limits are read, too, but not kept, because only
   * after the last row is the statement complete.
   */
  add(statement: Database.Statement<unknown[], unknown>, params: readonly unknown[]): void {
    const maxCellBytes = Math.floor(this.#maxBytes / 4);
    for (const row of statement.raw(true).iterate(...params) as Iterable<Cell[]>) {
      this.#returned++;
      if (this.#truncated) continue;
      const cells = row.map((cell) => cellJson(cell, maxCellBytes));
      this.#bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 2);
      this.#truncated = this.#rows.length === maxReturnedRows || this.#bytes > this.#maxBytes;
      if (!this.#truncated) this.#rows.push(cells.map((cell) => parseExactJson(cell)));
    }
    this.#columns ??= statement.columns().map(({ name }) => name);
  }
}
