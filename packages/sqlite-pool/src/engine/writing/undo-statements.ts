import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import type { DataChange } from '../../sql/statement-guard.ts';
import { resolvesConflicts } from '../../sql/conflict-clauses.ts';
import { bareStatement } from '../../sql/tokenizer.ts';
import { replacement } from '../../values/result-limits.ts';
import { openLastCommit } from '../connection.ts';
import { areReferredTo, tablesReferringTo } from './referring-rows.ts';
import { type ChangedRows, restoringStatements, type UndoStatement } from './restoring-statement.ts';
import { rowsByRowid, type RowTable, rowTable } from './rows-by-rowid.ts';
import { restoringSequence, sequenceOf } from './sequence.ts';
import { tryUndo } from './try-undo.ts';

/** Maximum number of rows that an UPDATE or DELETE may change if it is to be undone. */
const maxRows = 20;
/** Maximum number of characters of all undo statements together. */
const maxLength = 2_000;

/** A statement whose changes are recorded while it runs. */
interface Tracked {
  readonly table: RowTable;
  readonly verb: 'insert' | 'update' | 'delete';
  /** Only for an UPDATE or DELETE: the statement with RETURNING, to get the rowids of the changed rows. */
  readonly statement?: Database.Statement<unknown[], unknown>;
  /** The rowids of the rows that were updated or deleted. */
  readonly rowids: bigint[];
  /**
   * Only for an INSERT: the highest rowid before it or, if higher, the AUTOINCREMENT counter (`sequence`).
   */
  readonly last: bigint;
  readonly sequence?: bigint | undefined;
}

/** A step of the undo: statements, or rows to restore, whose old values are read before the commit. */
type Step = (ChangedRows & { readonly verb: 'update' | 'delete' }) | readonly UndoStatement[];

/**
 * Finds statements that undo a transaction, if that is cheap: after inserts at the end of a table, created
 * objects, dropped indexes, views or triggers, or a few rows changed once. Old values are read from the last
 * commit, and risky statements are tried. Triggers, cascades and conflict clauses are not undone.
 */
export class UndoStatements {
  readonly #path: string;
  readonly #database: Database.Database;
  /** For each table, the rowids of its changed rows, or 'inserted' if rows were added to it. */
  readonly #changed = new Map<string, Set<bigint> | 'inserted'>();
  readonly #created = new Set<string>();
  /** The steps that undo the transaction so far; undefined once a statement cannot be undone. */
  #steps: Step[] | undefined = [];

  constructor(path: string, database: Database.Database) {
    this.#path = path;
    this.#database = database;
  }

  /**
   * Returns what `changed` needs to undo a statement; undefined if the statement cannot be undone. Call it
   * once before the statement, even if the statement then runs for each of several rows.
   */
  track(sql: string, change: DataChange | undefined): Tracked | undefined {
    if (!this.#steps || !change || change.verb === 'replace') return undefined;
    const table = rowTable(this.#database, change.table);
    if (!table || resolvesConflicts(sql) || resolvesConflicts(table.sql)) return undefined;
    const { verb } = change;
    const known = { table, verb, rowids: [] };
    if (verb === 'insert') {
      const sequence = sequenceOf(this.#database, table);
      const last = this.#lastRowid(table);
      return { ...known, last: sequence !== undefined && sequence > last ? sequence : last, sequence };
    }
    if (!change.hasWhere && this.#hasManyRows(table)) return undefined;
    try {
      const returning = `${bareStatement(sql)}\nRETURNING ${table.rowid}`;
      return { ...known, last: 0n, statement: this.#database.prepare(returning).safeIntegers(true) };
    } catch {
      // The statement is invalid, or already has a RETURNING clause.
      return undefined;
    }
  }

  /** Runs a tracked UPDATE or DELETE. Returns how many rows it has changed. */
  run({ statement, rowids }: Tracked, params: readonly unknown[]): number {
    for (const [rowid] of statement!.raw(true).iterate(...params) as Iterable<[bigint]>) {
      // SQLite makes all changes before it returns the first row, so this loop may stop early.
      if (rowids.push(rowid) > maxRows) break;
    }
    return Number(this.#database.prepare('SELECT changes()').pluck().get());
  }

  /** Notes how to undo the changes of a statement. Call it after each statement that can change rows. */
  changed(tracked: Tracked | undefined, changes: number, totalChanges: number): void {
    if (totalChanges === 0 || !this.#steps) return;
    const name = tracked?.table.name ?? '';
    if (this.#created.has(name)) return;
    if (!tracked || changes !== totalChanges) return this.giveUp();
    const seen = this.#changed.get(name);
    if (tracked.verb === 'insert') {
      this.#changed.set(name, 'inserted');
      const isFirst = seen === undefined || seen === 'inserted';
      this.#push(isFirst ? this.#deletion(tracked, changes) : undefined);
    } else this.#changedRows(tracked, changes, seen);
  }

  /** Notes a change of the schema; call it after each. `undo` is the statement that undoes the change. */
  changedSchema(undo: string | undefined, created: string | undefined): void {
    if (created !== undefined) this.#created.add(created);
    this.#push(undo === undefined ? undefined : [{ sql: undo }]);
  }

  /** Notes that the transaction cannot be undone. Call it after a statement that cannot be undone. */
  giveUp(): void {
    this.#steps = undefined;
  }

  /**
   * Returns the statements that undo the transaction, in their order; none if no value has changed, and
   * undefined if it cannot be undone. Call it before the commit.
   */
  find(): readonly string[] | undefined {
    try {
      const statements = this.#find();
      const text = statements?.join('') ?? '';
      return text.length > maxLength || text.includes(replacement) ? undefined : statements;
    } catch {
      // The file is locked or was replaced: there are no old values, but the transaction is valid.
      return undefined;
    }
  }

  #find(): readonly string[] | undefined {
    if (!this.#steps) return undefined;
    const steps = this.#steps.toReversed();
    const restored = steps.filter((step): step is ChangedRows => 'rowids' in step);
    const referring = this.#referringToCreated();
    if (restored.length === 0 && referring.length === 0) {
      return steps.flatMap((step) => ('rowids' in step ? [] : step.map(({ sql }) => sql)));
    }
    // Dropping a created table would change the rows of tables that refer to it.
    if (referring.some((table) => !this.#created.has(table))) return undefined;
    const before = openLastCommit(this.#path);
    try {
      const statements: UndoStatement[] = [];
      for (const step of steps) {
        const found = 'rowids' in step ? restoringStatements(step, before, this.#database) : step;
        if (!found) return undefined;
        statements.push(...found);
      }
      const length = statements.reduce((sum, { sql }) => sum + sql.length, 0);
      if (statements.length === 0) return [];
      if (length > maxLength) return undefined;
      return tryUndo(this.#database, statements, () =>
        restored.every((each) => this.#isRestored(each, before)),
      );
    } finally {
      before.close();
    }
  }

  #isRestored({ table, rowids }: ChangedRows, before: Database.Database): boolean {
    const old = rowsByRowid(before, table, rowids);
    const now = rowsByRowid(this.#database, table, rowids);
    const isEqual = [...old].every(([rowid, cells]) =>
      cells.every((cell, index) => cell === now.get(rowid)?.[index]),
    );
    return isEqual && !(/\bdeferred\b/i.test(table.sql) && this.#breaksForeignKey(table, rowids));
  }

  /**
   * Whether rows that the trial of the undo has restored break a foreign key. The trial itself does not
   * notice a deferred one, because that fails only at the commit.
   */
  #breaksForeignKey({ name }: RowTable, rowids: readonly bigint[]): boolean {
    const sql = `SELECT 1 FROM pragma_foreign_key_check(?) WHERE rowid IN (${rowids.join(', ')})`;
    return this.#database.prepare(sql).get(name) !== undefined;
  }

  /** Returns the tables that refer to a table which the transaction created, except that table itself. */
  #referringToCreated(): readonly string[] {
    return [...this.#created].flatMap((table) =>
      tablesReferringTo(this.#database, table).filter((each) => each !== table),
    );
  }

  /** Adds a step for an UPDATE or DELETE. If a row was already changed before, nothing can be undone. */
  #changedRows(tracked: Tracked, changes: number, seen: Set<bigint> | 'inserted' = new Set()): void {
    const { rowids, table, verb } = tracked;
    if (seen === 'inserted' || verb === 'insert' || changes > maxRows || rowids.length !== changes)
      return this.giveUp();
    const count = seen.size;
    for (const rowid of rowids) seen.add(rowid);
    if (seen.size !== count + changes) return this.giveUp();
    this.#changed.set(table.name, seen);
    this.#steps?.push({ table, verb, rowids });
  }

  #push(step: Step | undefined): void {
    if (step === undefined) this.giveUp();
    else this.#steps?.push(step);
  }

  #hasManyRows({ name }: RowTable): boolean {
    const sql = `SELECT 1 FROM ${quoteIdentifier(name)} LIMIT 1 OFFSET ${maxRows}`;
    return this.#database.prepare(sql).get() !== undefined;
  }

  /** Whether SQLite can prepare a DELETE: not if a foreign key refers to columns that are not unique. */
  #isValid(sql: string): boolean {
    try {
      this.#database.prepare(sql);
      return true;
    } catch {
      return false;
    }
  }

  #lastRowid({ name, rowid }: RowTable): bigint {
    const sql = `SELECT coalesce(max(${rowid}), 0) FROM ${quoteIdentifier(name)}`;
    return this.#database.prepare(sql).pluck().safeIntegers(true).get() as bigint;
  }

  /**
   * Returns a DELETE; undefined if rows were inserted elsewhere than at the end, or other rows refer to them.
   */
  #deletion({ table, last: before, sequence }: Tracked, changes: number): Step | undefined {
    const last = this.#lastRowid(table);
    if (last - before !== BigInt(changes)) return undefined;
    const name = quoteIdentifier(table.name);
    const added = this.#database
      .prepare(`SELECT count(*) FROM ${name} WHERE ${table.rowid} > ?`)
      .pluck()
      .get(before);
    const first = before + 1n;
    if (added !== changes || areReferredTo(this.#database, table, { first, last })) return undefined;
    const which = first === last ? `= ${first}` : `BETWEEN ${first} AND ${last}`;
    const sql = `DELETE FROM ${name} WHERE ${table.rowid} ${which}`;
    if (!this.#isValid(sql)) return undefined;
    return [{ sql, changes }, ...restoringSequence(table, sequence, sequenceOf(this.#database, table))];
  }
}
