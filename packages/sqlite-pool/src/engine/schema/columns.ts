import type { Connection } from '../connection.ts';
import { queryAll } from './query-all.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default?: string;
  /** The position of the column in the primary key, from 1. */
  readonly primaryKey?: number;
  readonly generated?: 'virtual' | 'stored';
  readonly hidden?: boolean;
}

export function columnsOf(connection: Connection, table: string): readonly Column[] {
  interface Info {
    readonly name: string;
    readonly type: string;
    readonly notnull: number;
    readonly dflt_value: string | null;
    readonly pk: number;
    readonly hidden: number;
  }
  // Only table_xinfo lists generated columns: `hidden` is 2 for virtual columns, 3 for stored ones.
  return queryAll<Info>(connection, 'SELECT * FROM pragma_table_xinfo(?)', table).map((info) => ({
    name: info.name,
    type: info.type,
    notNull: info.notnull === 1,
    ...(info.dflt_value !== null && { default: info.dflt_value }),
    ...(info.pk > 0 && { primaryKey: info.pk }),
    ...(info.hidden === 2 && { generated: 'virtual' as const }),
    ...(info.hidden === 3 && { generated: 'stored' as const }),
    ...(info.hidden === 1 && { hidden: true }),
  }));
}

/** The columns of a table. Empty for a broken view, and for a virtual table whose module is missing. */
export function columnsIfReadable(connection: Connection, table: string): readonly Column[] {
  try {
    return columnsOf(connection, table);
  } catch {
    return [];
  }
}

/** Returns a name of the rowid; undefined if columns of the table have all three names. */
export function rowidName(columns: readonly Pick<Column, 'name'>[]): string | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
}
