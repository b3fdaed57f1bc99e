import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import type { DataChange } from '../../sql/statement-guard.ts';
import { bareStatement } from '../../sql/tokenizer.ts';
import { replacement } from '../../values/result-limits.ts';
import { openLastCommit } from '../connection.ts';
import { rowsByRowid, type RowTable, rowTable } from './rows-by-rowid.ts';

/** The rows that an UPDATE or a DELETE may change to be undone. */
const maxRows = 20;
/** Characters of all statements. */
const maxLength = 2_000;
/** Inserted rows are counted up to this number. */
const maxInserted = 100_000;

/** One statement whose changes are recorded. */
interface Tracked {
  readonly table: RowTable;
  readonly verb: 'insert' | 'update' | 'delete';
  /** The statement, which returns the rowids of the rows that it updates or deletes. */
  readonly statement?: Database.Statement<unknown[], unknown>;
  /** Of the rows that were updated or deleted. */
  readonly rowids: bigint[];
  /** Of an INSERT: the highest rowid before it. */
  readonly last: bigint;
}

/**
 * Finds statements that undo a transaction, where that is cheap: it inserted rows at the end of a table, created objects,
 * dropped an index, view or trigger, or changed a few rows once. What the rows were is read from the last
 * commit before the transaction ends. There are none for changes by triggers, cascades and conflicts.
 */
export class UndoStatements {
  readonly #path: string;
  readonly #database: Database.Database;
  /** The changed rows of each table; 'inserted' where rows were added. */
  readonly #changed = new Map<string, Set<bigint> | 'inserted'>();
  readonly #created = new Set<string>();
  /** One for each statement of the transaction that has to be undone; undefined where one cannot be. */
  #steps: (string | Tracked)[] | undefined = [];

  constructor(path: string, database: Database.Database) {
    this.#path = path;
    this.#database = database;
  }

  /** Call before a statement that is run once or, to insert, many times. Undefined where it cannot be undone. */
  track(sql: string, change: DataChange | undefined): Tracked | undefined {
    if (!this.#steps || !change || change.verb === 'replace') return undefined;
    const table = rowTable(this.#database, change.table);
    if (!table || /\b(?:replace|conflict)\b/i.test(`${sql} ${table.sql}`)) return undefined;
    const { verb } = change;
    const known = { table, verb, rowids: [] };
    if (verb === 'insert') return { ...known, last: this.#lastRowid(table) };
    if (!change.hasWhere && this.#hasManyRows(table)) return undefined;
    try {
      const returning = `${bareStatement(sql)}\nRETURNING ${table.rowid}`;
      return { ...known, last: 0n, statement: this.#database.prepare(returning).safeIntegers(true) };
    } catch {
      // It has a RETURNING of its own, or is wrong.
      return undefined;
    }
  }

  /** Runs a tracked UPDATE or DELETE. Returns the number of changed rows. */
  run({ statement, rowids }: Tracked, params: readonly unknown[]): number {
    for (const [rowid] of statement!.raw(true).iterate(...params) as Iterable<[bigint]>) {
      // Everything is written before the first row is returned.
      if (rowids.push(rowid) > maxRows) break;
    }
    return Number(this.#database.prepare('SELECT changes()').pluck().get());
  }

  /** Call after each statement that changed rows. */
  changed(tracked: Tracked | undefined, changes: number, totalChanges: number): void {
    if (totalChanges === 0 || !this.#steps) return;
    const name = tracked?.table.name ?? '';
    if (this.#created.has(name)) return;
    if (!tracked || changes !== totalChanges) return this.#giveUp();
    const seen = this.#changed.get(name);
    if (tracked.verb === 'insert') {
      this.#changed.set(name, 'inserted');
      this.#push(seen ? undefined : this.#deletion(tracked, changes));
    } else this.#changedRows(tracked, changes, seen);
  }

  /** Call after each statement that changed the schema; `undo` is the statement that undoes it. */
  changedSchema(undo: string | undefined, created: string | undefined): void {
    if (created !== undefined) this.#created.add(created);
    this.#push(undo);
  }

  /** Call before the commit. The statements in the order in which they undo; none where the transaction cannot be undone. */
  find(): readonly string[] {
    const steps = this.#steps ?? [];
    if (steps.length === 0) return [];
    const needsBefore = steps.some((step) => typeof step !== 'string');
    const before = needsBefore ? openLastCommit(this.#path) : undefined;
    try {
      const statements: string[] = [];
      for (const step of steps.toReversed()) {
        const undo = typeof step === 'string' ? step : restoring(step, before!, this.#database);
        if (undo === undefined) return [];
        if (undo !== '') statements.push(undo);
      }
      const text = statements.join('');
      return text.length > maxLength || text.includes(replacement) ? [] : statements;
    } catch {
      // The file is locked or was replaced; the transaction itself is valid.
      return [];
    } finally {
      before?.close();
    }
  }

  /** Each row may be changed once. */
  #changedRows(tracked: Tracked, changes: number, seen: Set<bigint> | 'inserted' = new Set()): void {
    const { rowids, table } = tracked;
    if (seen === 'inserted' || changes > maxRows || rowids.length !== changes) return this.#giveUp();
    const count = seen.size;
    for (const rowid of rowids) seen.add(rowid);
    if (seen.size !== count + changes) return this.#giveUp();
    this.#changed.set(table.name, seen);
    this.#steps?.push(tracked);
  }

  #push(step: string | undefined): void {
    if (step === undefined) this.#giveUp();
    else this.#steps?.push(step);
  }

  #giveUp(): void {
    this.#steps = undefined;
  }

  #hasManyRows({ name }: RowTable): boolean {
    const sql = `SELECT 1 FROM ${quoteIdentifier(name)} LIMIT 1 OFFSET ${maxRows}`;
    return this.#database.prepare(sql).get() !== undefined;
  }

  #lastRowid({ name, rowid }: RowTable): bigint {
    const sql = `SELECT coalesce(max(${rowid}), 0) FROM ${quoteIdentifier(name)}`;
    return this.#database.prepare(sql).pluck().safeIntegers(true).get() as bigint;
  }

  /** Undefined unless all rows were inserted after the last one. */
  #deletion({ table, last }: Tracked, changes: number): string | undefined {
    const newest = this.#lastRowid(table);
    if (changes > maxInserted || newest - last !== BigInt(changes)) return undefined;
    const name = quoteIdentifier(table.name);
    const added = this.#database
      .prepare(`SELECT count(*) FROM ${name} WHERE ${table.rowid} > ?`)
      .pluck()
      .get(last);
    if (added !== changes) return undefined;
    const first = last + 1n;
    const which = first === newest ? `= ${first}` : `BETWEEN ${first} AND ${newest}`;
    return `DELETE FROM ${name} WHERE ${table.rowid} ${which}`;
  }
}

/** The statement that restores rows; empty where they have not changed, undefined where the rows are not found. */
function restoring(
  { table, verb, rowids }: Tracked,
  before: Database.Database,
  now: Database.Database,
): string | undefined {
  const old = rowsByRowid(before, table, rowids);
  if (old.size !== rowids.length) return undefined;
  const name = quoteIdentifier(table.name);
  const columns = table.columns.map((column) => quoteIdentifier(column));
  if (verb === 'delete') {
    // The INTEGER PRIMARY KEY is the rowid.
    const isAlias =
      table.key !== -1 && [...old].every(([rowid, cells]) => cells[table.key] === String(rowid));
    const values = [...old].map(
      ([rowid, cells]) => `(${(isAlias ? cells : [String(rowid), ...cells]).join(', ')})`,
    );
    const names = isAlias ? columns : [table.rowid, ...columns];
    return `INSERT INTO ${name}(${names.join(', ')}) VALUES ${values.join(', ')}`;
  }
  const current = rowsByRowid(now, table, rowids);
  if (current.size !== old.size) return undefined;
  const isChanged = (index: number) =>
    [...old].some(([rowid, cells]) => cells[index] !== current.get(rowid)![index]);
  const changed = columns.map((_, index) => index).filter((index) => isChanged(index));
  if (changed.length === 0) return '';
  const restored = [...old].map(([rowid, cells]) => ({
    rowid,
    cells: changed.map((index) => cells[index]!),
  }));
  const [first] = restored;
  const isSame = restored.every(({ cells }) => cells.every((cell, index) => cell === first!.cells[index]));
  if (isSame) {
    const set = changed.map((index, at) => `${columns[index]} = ${first!.cells[at]}`).join(', ');
    const which = rowids.length === 1 ? `= ${first!.rowid}` : `IN (${[...old.keys()].join(', ')})`;
    return `UPDATE ${name} SET ${set} WHERE ${table.rowid} ${which}`;
  }
  const set = changed.map((index, at) => `${columns[index]} = v.column${at + 2}`).join(', ');
  const values = restored.map(({ rowid, cells }) => `(${[String(rowid), ...cells].join(', ')})`);
  return `UPDATE ${name} SET ${set} FROM (VALUES ${values.join(', ')}) AS v WHERE ${name}.${table.rowid} = v.column1`;
}
