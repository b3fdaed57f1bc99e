import type { Connection } from '../connection.ts';
import { queryAll } from './query-all.ts';

export interface ForeignKey {
  readonly columns: readonly string[];
  /** The table that is referenced; it may be missing. */
  readonly table: string;
  /** The columns that are referenced; empty for the primary key. */
  readonly to: readonly string[];
  /** What happens to the row when the referenced one is deleted, such as `CASCADE` or `NO ACTION`. */
  readonly onDelete: string;
}

export function foreignKeysOf(connection: Connection, table: string): readonly ForeignKey[] {
  interface Part {
    readonly id: number;
    readonly table: string;
    readonly from: string;
    readonly to: string | null;
    readonly on_delete: string;
  }
  const sql = 'SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq';
  const keys = Map.groupBy(queryAll<Part>(connection, sql, table), ({ id }) => id);
  return [...keys.values()].map((parts) => ({
    columns: parts.map(({ from }) => from),
    table: parts[0]!.table,
    to: parts.flatMap(({ to }) => (to === null ? [] : [to])),
    onDelete: parts[0]!.on_delete,
  }));
}
