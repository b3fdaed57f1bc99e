import type Database from 'better-sqlite3';
import { resolvesConflicts } from '../../sql/conflict-clauses.ts';
import { dataChange, type DataChange } from '../../sql/statement-guard.ts';
import { countRowsUpTo } from '../count-rows.ts';

/** A table, and how many rows it had before a statement deleted or changed all of them. */
export interface Loss {
  readonly table: string;
  readonly rows: number;
  readonly kind: 'delete' | 'change';
}

interface WrittenTable {
  readonly name: string;
  /** How many rows the table had before the first statement that could lose rows. */
  readonly rows: number;
}

interface StoredTable {
  readonly name: string;
  /** The page at which the table's B-tree begins; 0 for a virtual table. */
  readonly rootpage: number;
}

interface Instruction {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
}

const maxCountedRows = 1_000_000;
/** Losing all rows of a table with fewer rows needs no confirmation by the user. */
const minRows = 2;

/**
 * Finds out whether a statement deletes or changes all rows of its target, of a table that a cascade or
 * trigger writes to, or of a table behind a view. Rows that earlier statements of the transaction deleted
 * count as lost, too. Create the detector in the same transaction, before the statement runs.
 */
export class LossDetector {
  /** Whether the statement can lose rows: a plain INSERT into a table without triggers cannot. */
  readonly mayLose: boolean;
  readonly #database: Database.Database;
  readonly #change: DataChange | undefined;
  readonly #tables: readonly WrittenTable[] = [];
  readonly #isView: boolean = false;

  /**
   * `before` has the row counts that tables had before earlier statements of the transaction. The constructor
   * adds the present counts of the other tables that this statement can write to.
   */
  constructor(
    database: Database.Database,
    sql: string,
    params: readonly unknown[],
    before: Map<string, number>,
  ) {
    this.#database = database;
    this.#change = dataChange(sql);
    if (!this.#change) {
      this.mayLose = false;
      return;
    }
    const program = database.prepare(`EXPLAIN ${sql}`).all(...params) as Instruction[];
    this.mayLose = this.#change.verb !== 'insert' || this.#mayReplace(sql, this.#change.table, program);
    if (!this.mayLose) return;
    const written = this.#writtenBy(program, before);
    const target = this.#change.table.toLowerCase();
    this.#isView = !written.some(({ name }) => name.toLowerCase() === target);
    this.#tables = written.filter(({ rows }) => rows >= minRows);
  }

  /**
   * Returns a table of which the statement deleted or changed all rows. Call it after the statement.
   * `totalChanges` also counts the changes of triggers and cascades.
   */
  find(changes: number, totalChanges: number): Loss | undefined {
    const target = this.#change?.table.toLowerCase();
    for (const { name, rows } of this.#tables) {
      if (countRowsUpTo(1, this.#database, name) === 0) return { table: name, rows, kind: 'delete' };
      const isTarget = name.toLowerCase() === target;
      if (!isTarget && !this.#isView) continue;
      // If the statement changed at least as many rows as the table has now, it changed all of them.
      const changed = isTarget ? changes : totalChanges;
      const isDelete = isTarget && this.#change?.verb === 'delete';
      if (!isDelete && countRowsUpTo(changed + 1, this.#database, name) <= changed)
        return { table: name, rows, kind: 'change' };
    }
    return undefined;
  }

  #mayReplace(sql: string, table: string, program: readonly Instruction[]): boolean {
    if (resolvesConflicts(sql)) return true;
    if (program.some(({ opcode }) => opcode === 'Program')) return true;
    const found = this.#database
      .prepare('SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE')
      .get(table) as { type: string; sql: string | null } | undefined;
    return found?.type === 'view' || resolvesConflicts(found?.sql ?? '');
  }

  #writtenBy(program: readonly Instruction[], before: Map<string, number>): readonly WrittenTable[] {
    const roots = new Set(
      program.flatMap(({ opcode, p1, p2, p3 }) => {
        if (opcode === 'OpenWrite' && p3 === 0) return [p2];
        return opcode === 'Clear' && p2 === 0 ? [p1] : [];
      }),
    );
    const tables = this.#database
      .prepare("SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
      .all() as StoredTable[];
    return tables
      .filter(({ rootpage }) => roots.has(rootpage))
      .concat(this.#virtualTarget())
      .map(({ name }) => {
        const rows = before.get(name) ?? countRowsUpTo(maxCountedRows, this.#database, name);
        before.set(name, rows);
        return { name, rows };
      });
  }

  /** The target if it is a virtual table, because EXPLAIN does not name the tables that store its rows. */
  #virtualTarget(): StoredTable[] {
    return this.#database
      .prepare(
        "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage = 0 AND name = ? COLLATE NOCASE",
      )
      .all(this.#change!.table) as StoredTable[];
  }
}
