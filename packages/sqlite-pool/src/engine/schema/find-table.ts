import { closestNames } from '@mcp/kit';
import { beginningOf, DatabaseError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { queryAll } from './query-all.ts';
import { schemaNames } from './schema-names.ts';

export type TableKind = 'table' | 'view' | 'virtual' | 'shadow';

export interface Table {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  readonly wr: number;
  readonly strict: number;
}

/** Finds a name in any letter case. Throws with similar names if there is no such table. */
export function findTable(connection: Connection, table: string): Table {
  const [found] = queryAll<Table>(
    connection,
    "SELECT name, type AS kind, ncol AS columns, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
    table,
  );
  if (found) return found;
  const near = closestNames(table, schemaNames(connection).tables());
  throw new DatabaseError({
    code: 'SQLITE_ERROR',
    message: `no such table: ${beginningOf(table, 100)}`,
    ...(near.length > 0 ? { near } : { reason: 'unknown-table' }),
  });
}
