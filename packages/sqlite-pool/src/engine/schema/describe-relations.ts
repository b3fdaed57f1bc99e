import type { Connection } from '../connection.ts';
import { type Column, columnsIfReadable } from './columns.ts';
import { type ForeignKey, foreignKeysOf } from './foreign-keys.ts';
import { type Counting, countRows, type TableSummary, tablesIn } from './tables.ts';

/** The tables and views with their columns and foreign keys. */
export interface Relations {
  readonly tables: readonly RelatedTable[];
  /** The number of all tables and views; `tables` has the first. */
  readonly total: number;
}

export interface RelatedTable extends TableSummary {
  /** The first columns; `columns` is the number of all. */
  readonly details: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
}

const maxTables = 300;
const maxColumns = 100;
/** Maximum number of characters of the answer, except its first table. */
const maxSize = 256 * 1024;

export function describeRelations(
  connection: Connection,
  { counting }: { readonly counting: Counting },
): Relations {
  connection.refresh();
  const all = tablesIn(connection);
  const tables: RelatedTable[] = [];
  let size = 0;
  for (const summary of all.slice(0, maxTables)) {
    const columns = columnsIfReadable(connection, summary.name);
    const table = {
      ...summary,
      columns: Math.max(columns.length, summary.columns),
      ...countRows(connection, summary, counting),
      details: columns.slice(0, maxColumns),
      foreignKeys: foreignKeysOf(connection, summary.name).slice(0, maxColumns),
    };
    size += JSON.stringify(table).length;
    if (size > maxSize && tables.length > 0) break;
    tables.push(table);
  }
  return { tables, total: all.length };
}
