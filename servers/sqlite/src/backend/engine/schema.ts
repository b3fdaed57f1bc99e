import { DatabaseError } from '../errors.ts';
import type { Handle } from './connection.ts';
import { identifier } from '../sql/quote-identifier.ts';
import { nearest } from './closest-names.ts';

export type TableKind = 'table' | 'view' | 'virtual' | 'shadow';

export interface TableSummary {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  /** Rows, counted up to 10,000. */
  readonly rows?: number;
  /** Whether there are more rows than were counted. */
  readonly more?: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default?: string;
  /** Place in the primary key, from 1. */
  readonly primaryKey?: number;
  readonly generated?: 'virtual' | 'stored';
  readonly hidden?: boolean;
}

export interface TableDescription extends TableSummary {
  readonly strict: boolean;
  readonly withoutRowid: boolean;
  readonly details: readonly Column[];
  readonly foreignKeys: readonly { readonly columns: readonly string[]; readonly references: string }[];
  readonly indexes: readonly {
    readonly name: string;
    readonly unique: boolean;
    readonly columns: readonly string[];
  }[];
  readonly triggers: readonly string[];
  readonly sql: string;
}

export interface Schema {
  readonly tables: readonly TableSummary[];
  /** The statements that make it, tables first. */
  readonly sql: string;
}

const counted = 10_000;
const mostNames = 5_000;
const longestSchema = 256 * 1024;

/** Tables and views, without those that SQLite keeps for itself. To count the rows of a view may take any time. */
export function listTables(
  handle: Handle,
  { countViews }: { readonly countViews: boolean },
): readonly TableSummary[] {
  handle.refresh();
  return tablesIn(handle).map((table) => ({
    ...withColumns(handle, table),
    ...((countViews || table.kind !== 'view') && rowsOf(handle, table.name)),
  }));
}

/** Their names alone, best for suggestions. */
export function tableNames(handle: Handle): readonly string[] {
  handle.refresh();
  return tablesIn(handle).map(({ name }) => name);
}

export function columnNames(
  handle: Handle,
  { table }: { readonly table?: string | undefined },
): readonly string[] {
  handle.refresh();
  if (table !== undefined) return columnsOf(handle, existing(handle, table).name).map(({ name }) => name);
  return namesOf(handle).columns();
}

export function readSchema(handle: Handle): Schema {
  handle.refresh();
  const statements = handle
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'table' DESC, rowid",
    )
    .pluck()
    .all() as string[];
  const sql = statements.map((each) => `${each};`).join('\n\n');
  return {
    tables: tablesIn(handle).map((table) => withColumns(handle, table)),
    sql:
      sql.length > longestSchema
        ? `${sql.slice(0, longestSchema)}\n-- … ${sql.length} characters in all`
        : sql,
  };
}

export function describeTable(handle: Handle, { table }: { readonly table: string }): TableDescription {
  handle.refresh();
  const { name, kind, columns, wr, strict } = existing(handle, table);
  const details = columnsOf(handle, name);
  return {
    name,
    kind,
    columns: kind === 'view' ? details.length : columns,
    ...rowsOf(handle, name),
    strict: strict === 1,
    withoutRowid: wr === 1,
    details,
    foreignKeys: foreignKeysOf(handle, name),
    indexes: indexesOf(handle, name),
    triggers: all<{ name: string }>(
      handle,
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
      name,
    ).map((trigger) => trigger.name),
    sql:
      all<{ sql: string | null }>(
        handle,
        "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE",
        name,
      )[0]?.sql ?? '',
  };
}

export interface Table {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  readonly wr: number;
  readonly strict: number;
}

/** The table or view of this name, in whatever case. Throws, with the nearest names, where there is none. */
export function existing(handle: Handle, table: string): Table {
  const [found] = all<Table>(
    handle,
    "SELECT name, type AS kind, ncol AS columns, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
    table,
  );
  if (found) return found;
  const near = nearest(table, namesOf(handle).tables());
  throw new DatabaseError({
    code: 'SQLITE_ERROR',
    message: `no such table: ${table.length > 100 ? `${table.slice(0, 100)}…` : table}`,
    ...(near.length > 0 ? { near } : { hint: 'list_tables names all there are' }),
  });
}

export function columnsOf(handle: Handle, table: string): readonly Column[] {
  interface Info {
    readonly name: string;
    readonly type: string;
    readonly notnull: number;
    readonly dflt_value: string | null;
    readonly pk: number;
    readonly hidden: number;
  }
  // Unlike table_info this knows generated columns: 2 is virtual, 3 is stored.
  return all<Info>(handle, 'SELECT * FROM pragma_table_xinfo(?)', table).map((info) => ({
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

/** What a rowid can be asked for by, where columns have not taken all of its names. */
export function rowidName(columns: readonly Column[]): string | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
}

/** The names in a schema, for suggestions. */
export function namesOf(handle: Handle) {
  return {
    tables: () =>
      all<{ name: string }>(handle, "SELECT name FROM pragma_table_list WHERE schema = 'main'").map(
        ({ name }) => name,
      ),
    columns() {
      const names = new Set<string>();
      const tables = all<{ name: string }>(
        handle,
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')",
      );
      for (const { name } of tables) {
        for (const column of columnsThatCan(handle, name)) names.add(column.name);
        if (names.size > mostNames) break;
      }
      return [...names];
    },
  };
}

/** None where a view is of what is gone, or a module is not here. */
function columnsThatCan(handle: Handle, table: string): readonly Column[] {
  try {
    return columnsOf(handle, table);
  } catch {
    return [];
  }
}

/** SQLite counts the columns of a view only once it is used. */
function withColumns(handle: Handle, table: TableSummary): TableSummary {
  return table.kind === 'view' ? { ...table, columns: columnsThatCan(handle, table.name).length } : table;
}

export function all<Row>(handle: Handle, sql: string, ...params: readonly unknown[]): readonly Row[] {
  return handle
    .prepare(sql)
    .safeIntegers(false)
    .raw(false)
    .all(...params) as Row[];
}

function tablesIn(handle: Handle): readonly TableSummary[] {
  return all<TableSummary>(
    handle,
    "SELECT name, type AS kind, ncol AS columns FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
}

function rowsOf(handle: Handle, table: string): { rows?: number; more?: boolean } {
  try {
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${identifier(table)} LIMIT ${counted + 1})`;
    const rows = handle.database.prepare(sql).pluck().get() as number;
    return rows > counted ? { rows: counted, more: true } : { rows };
  } catch {
    // A view of what is gone, or a module that is not here: still a table, with nobody knows how many rows.
    return {};
  }
}

function foreignKeysOf(handle: Handle, table: string): TableDescription['foreignKeys'] {
  interface Key {
    readonly id: number;
    readonly table: string;
    readonly from: string;
    readonly to: string | null;
    readonly on_delete: string;
  }
  const keys = new Map<number, Key[]>();
  for (const key of all<Key>(handle, 'SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq', table)) {
    keys.set(key.id, [...(keys.get(key.id) ?? []), key]);
  }
  return [...keys.values()].map((parts) => {
    const to = parts.flatMap((part) => (part.to === null ? [] : [part.to]));
    const action = parts[0]!.on_delete === 'NO ACTION' ? '' : ` ON DELETE ${parts[0]!.on_delete}`;
    return {
      columns: parts.map((part) => part.from),
      references: `${parts[0]!.table}${to.length > 0 ? `(${to.join(', ')})` : ''}${action}`,
    };
  });
}

function indexesOf(handle: Handle, table: string): TableDescription['indexes'] {
  const indexes = all<{ name: string; unique: number }>(
    handle,
    'SELECT name, "unique" FROM pragma_index_list(?)',
    table,
  );
  return indexes.map(({ name, unique }) => ({
    name,
    unique: unique === 1,
    columns: all<{ name: string | null }>(handle, 'SELECT name FROM pragma_index_info(?)', name).map(
      (column) => column.name ?? '(expression)',
    ),
  }));
}
