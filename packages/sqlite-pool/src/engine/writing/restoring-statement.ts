import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/quote-identifier.ts';
import { rowsByRowid, type RowTable } from './rows-by-rowid.ts';

export interface UndoStatement {
  readonly sql: string;
  /** The number of rows that the statement changes; missing if the statement changes the schema. */
  readonly changes?: number;
  /**
   * Statements that make the same change row by row; used where a single UPDATE fails, for example because it
   * exchanges two UNIQUE values.
   */
  readonly rowByRow?: readonly UndoStatement[];
}

export interface ChangedRows {
  readonly table: RowTable;
  readonly verb: 'update' | 'delete';
  readonly rowids: readonly bigint[];
}

/** Returns the statement that restores rows; none if they have not changed; undefined if a row is missing. */
export function restoringStatements(
  { table, verb, rowids }: ChangedRows,
  before: Database.Database,
  now: Database.Database,
): readonly UndoStatement[] | undefined {
  const old = rowsByRowid(before, table, rowids);
  if (old.size !== rowids.length) return undefined;
  if (verb === 'delete') return [insertion(table, old)];
  const current = rowsByRowid(now, table, rowids);
  if (current.size !== old.size) return undefined;
  const changed = table.columns.flatMap((_, index) =>
    [...old].some(([rowid, cells]) => cells[index] !== current.get(rowid)![index]) ? [index] : [],
  );
  return changed.length === 0 ? [] : [update(table, old, changed)];
}

function insertion(table: RowTable, old: ReadonlyMap<bigint, readonly string[]>): UndoStatement {
  // An INTEGER PRIMARY KEY is the rowid. If the table has one, the rowid is not inserted separately.
  const isAlias = table.key !== -1 && [...old].every(([rowid, cells]) => cells[table.key] === String(rowid));
  const values = [...old].map(
    ([rowid, cells]) => `(${(isAlias ? cells : [String(rowid), ...cells]).join(', ')})`,
  );
  const columns = table.columns.map((column) => quoteIdentifier(column));
  const names = isAlias ? columns : [table.rowid, ...columns];
  return {
    sql: `INSERT INTO ${quoteIdentifier(table.name)}(${names.join(', ')}) VALUES ${values.join(', ')}`,
    changes: old.size,
  };
}

/** Returns the UPDATE that restores rows. `changed` has the indexes of the columns to restore. */
function update(
  table: RowTable,
  old: ReadonlyMap<bigint, readonly string[]>,
  changed: readonly number[],
): UndoStatement {
  const name = quoteIdentifier(table.name);
  const columns = changed.map((index) => quoteIdentifier(table.columns[index]!));
  const rows = [...old].map(([rowid, cells]) => ({ rowid, cells: changed.map((index) => cells[index]!) }));
  const [first] = rows;
  const assigned = (cells: readonly string[]) =>
    columns.map((column, at) => `${column} = ${cells[at]}`).join(', ');
  const rowByRow = rows.map(({ rowid, cells }) => ({
    sql: `UPDATE ${name} SET ${assigned(cells)} WHERE ${table.rowid} = ${rowid}`,
    changes: 1,
  }));
  if (rowByRow.length === 1) return rowByRow[0]!;
  if (rows.every(({ cells }) => cells.every((cell, at) => cell === first!.cells[at]))) {
    const which = `IN (${[...old.keys()].join(', ')})`;
    return {
      sql: `UPDATE ${name} SET ${assigned(first!.cells)} WHERE ${table.rowid} ${which}`,
      changes: rows.length,
    };
  }
  const set = columns.map((column, at) => `${column} = v.column${at + 2}`).join(', ');
  const values = rows.map(({ rowid, cells }) => `(${[String(rowid), ...cells].join(', ')})`).join(', ');
  return {
    sql: `UPDATE ${name} SET ${set} FROM (VALUES ${values}) AS v WHERE ${name}.${table.rowid} = v.column1`,
    changes: rows.length,
    rowByRow,
  };
}
