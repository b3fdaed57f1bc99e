import { DatabaseError, failureMessage } from '../errors.ts';
import type { Connection } from './connection.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../values/page-cursor.ts';
import { closestNames } from './closest-names.ts';

export type TableKind = 'table' | 'view' | 'virtual' | 'shadow';

export interface TableSummary {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  /** Row count, up to 10,000; missing where the rows cannot be counted. */
  readonly rows?: number;
  /** Whether there are more rows than `rows`. */
  readonly more?: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default?: string;
  /** Position in the primary key, from 1. */
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
  /** Why a broken view, or a virtual table without its module, cannot be read. */
  readonly error?: string;
}

export interface TableList {
  readonly tables: readonly TableSummary[];
  /** Tables on all pages. */
  readonly total: number;
  /** Names similar to a filter that no name contains. */
  readonly near?: readonly string[];
  readonly nextCursor?: string;
}

export interface TableListRequest {
  readonly countViews: boolean;
  /** Part of the name, in any letter case. */
  readonly filter?: string | undefined;
  readonly cursor?: string | undefined;
}

export interface Schema {
  /** The first 1,000 tables and views. */
  readonly tables: readonly TableSummary[];
  /** How many there are, where there are more. */
  readonly total?: number;
  /** SQLite's schema version, where a part of the schema is missing here. */
  readonly version?: number;
  /** The statements that create it, tables first. */
  readonly sql: string;
}

const maxCountedRows = 10_000;
const maxNames = 5_000;
const maxSchemaLength = 256 * 1024;
const maxSchemaTables = 1_000;
const tablesPerPage = 200;

/** A page of the tables and views, without internal ones. Counting the rows of a view can take any time. */
export function listTables(
  connection: Connection,
  { countViews, filter = '', cursor }: TableListRequest,
): TableList {
  connection.refresh();
  const lower = filter.toLowerCase();
  const tables = tablesIn(connection);
  const all = tables.filter(({ name }) => name.toLowerCase().includes(lower));
  const after = cursor === undefined ? undefined : lastNameIn(cursor);
  const rest = after === undefined ? all : all.filter(({ name }) => isAfter(name, after));
  const page = rest.slice(0, tablesPerPage);
  return {
    tables: page.map((table) => ({
      ...withColumns(connection, table),
      ...((countViews || table.kind !== 'view') && countRows(connection, table.name)),
    })),
    total: all.length,
    ...(all.length === 0 && {
      near: closestNames(
        filter,
        tables.map(({ name }) => name),
      ),
    }),
    ...(rest.length > page.length && { nextCursor: encodeCursor(['tables', page.at(-1)!.name]) }),
  };
}

function lastNameIn(cursor: string): string {
  const [kind, name] = decodeCursor(cursor);
  if (kind !== 'tables' || typeof name !== 'string') throw invalidCursor(cursor);
  return name;
}

/** The order of SQLite's BINARY collation. */
function isAfter(name: string, other: string): boolean {
  return Buffer.compare(Buffer.from(name), Buffer.from(other)) > 0;
}

/** The names of all tables and views. */
export function tableNames(connection: Connection): readonly string[] {
  connection.refresh();
  return tablesIn(connection).map(({ name }) => name);
}

export function columnNames(
  connection: Connection,
  { table }: { readonly table?: string | undefined },
): readonly string[] {
  connection.refresh();
  if (table !== undefined)
    return columnsOf(connection, findTable(connection, table).name).map(({ name }) => name);
  return schemaNames(connection).columns();
}

/** All tables and views with their SQL; both are cut at the limits. */
export function readSchema(
  connection: Connection,
  {
    maxTables = maxSchemaTables,
    maxLength = maxSchemaLength,
  }: { readonly maxTables?: number | undefined; readonly maxLength?: number | undefined },
): Schema {
  connection.refresh();
  const statements = connection
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'table' DESC, rowid",
    )
    .pluck()
    .all() as string[];
  const sql = statements.map((each) => `${each};`).join('\n\n');
  const tables = tablesIn(connection);
  const isCut = tables.length > maxTables || sql.length > maxLength;
  return {
    tables: tables.slice(0, maxTables).map((table) => withColumns(connection, table)),
    ...(tables.length > maxTables && { total: tables.length }),
    // Makes a change of a missing part visible to subscribers.
    ...(isCut && { version: connection.prepare('PRAGMA schema_version').pluck().get() as number }),
    sql:
      sql.length > maxLength
        ? `${sql.slice(0, maxLength).toWellFormed()}\n-- … ${sql.length} characters in total`
        : sql,
  };
}

/** Describes a table or view. Counting the rows of a view can take any time. */
export function describeTable(
  connection: Connection,
  { table, countViews = true }: { readonly table: string; readonly countViews?: boolean | undefined },
): TableDescription {
  connection.refresh();
  const { name, kind, columns, wr, strict } = findTable(connection, table);
  const { details, error } = readColumns(connection, name);
  return {
    name,
    kind,
    columns: kind === 'view' ? details.length : columns,
    ...(error === undefined && (countViews || kind !== 'view') && countRows(connection, name)),
    strict: strict === 1,
    withoutRowid: wr === 1,
    details,
    foreignKeys: foreignKeysOf(connection, name),
    indexes: indexesOf(connection, name),
    triggers: queryAll<{ name: string }>(
      connection,
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
      name,
    ).map((trigger) => trigger.name),
    sql:
      queryAll<{ sql: string | null }>(
        connection,
        "SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE",
        name,
      )[0]?.sql ?? '',
    ...(error !== undefined && { error }),
  };
}

function readColumns(connection: Connection, table: string): { details: readonly Column[]; error?: string } {
  try {
    return { details: columnsOf(connection, table) };
  } catch (error) {
    return { details: [], error: failureMessage(error) };
  }
}

export interface Table {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: number;
  readonly wr: number;
  readonly strict: number;
}

/** The table or view with this name, in any letter case. Throws, with the closest names, where there is none. */
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
    message: `no such table: ${table.length > 100 ? `${table.slice(0, 100)}…` : table}`,
    ...(near.length > 0 ? { near } : { hint: 'list_tables lists all tables' }),
  });
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
  // Unlike table_info, table_xinfo lists generated columns: `hidden` is 2 for virtual, 3 for stored ones.
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

/** The name by which a rowid can be selected; undefined where columns have all three of its names. */
export function rowidName(columns: readonly Column[]): string | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
}

/** The names of a schema, for suggestions. */
export function schemaNames(connection: Connection) {
  return {
    tables: () =>
      queryAll<{ name: string }>(connection, "SELECT name FROM pragma_table_list WHERE schema = 'main'").map(
        ({ name }) => name,
      ),
    columns() {
      const names = new Set<string>();
      const tables = queryAll<{ name: string }>(
        connection,
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')",
      );
      for (const { name } of tables) {
        for (const column of columnsIfReadable(connection, name)) names.add(column.name);
        if (names.size > maxNames) break;
      }
      return [...names];
    },
    objects: (type: 'index' | 'trigger') =>
      queryAll<{ name: string }>(
        connection,
        'SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL',
        type,
      ).map(({ name }) => name),
    functions: () =>
      queryAll<{ name: string }>(connection, 'SELECT DISTINCT name FROM pragma_function_list').map(
        ({ name }) => name,
      ),
  };
}

/** None for a broken view, or a virtual table whose module is missing. */
function columnsIfReadable(connection: Connection, table: string): readonly Column[] {
  try {
    return columnsOf(connection, table);
  } catch {
    return [];
  }
}

/** SQLite counts the columns of a view only when it is used. */
function withColumns(connection: Connection, table: TableSummary): TableSummary {
  return table.kind === 'view'
    ? { ...table, columns: columnsIfReadable(connection, table.name).length }
    : table;
}

export function queryAll<Row>(
  connection: Connection,
  sql: string,
  ...params: readonly unknown[]
): readonly Row[] {
  return connection
    .prepare(sql)
    .safeIntegers(false)
    .raw(false)
    .all(...params) as Row[];
}

function tablesIn(connection: Connection): readonly TableSummary[] {
  return queryAll<TableSummary>(
    connection,
    "SELECT name, type AS kind, ncol AS columns FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
}

function countRows(connection: Connection, table: string): { rows?: number; more?: boolean } {
  try {
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${quoteIdentifier(table)} LIMIT ${maxCountedRows + 1})`;
    const rows = connection.database.prepare(sql).pluck().get() as number;
    return rows > maxCountedRows ? { rows: maxCountedRows, more: true } : { rows };
  } catch {
    // A broken view, or a virtual table whose module is missing.
    return {};
  }
}

function foreignKeysOf(connection: Connection, table: string): TableDescription['foreignKeys'] {
  interface Key {
    readonly id: number;
    readonly table: string;
    readonly from: string;
    readonly to: string | null;
    readonly on_delete: string;
  }
  const keys = new Map<number, Key[]>();
  for (const key of queryAll<Key>(
    connection,
    'SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    table,
  )) {
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

function indexesOf(connection: Connection, table: string): TableDescription['indexes'] {
  const indexes = queryAll<{ name: string; unique: number }>(
    connection,
    'SELECT name, "unique" FROM pragma_index_list(?)',
    table,
  );
  return indexes.map(({ name, unique }) => ({
    name,
    unique: unique === 1,
    columns: queryAll<{ name: string | null }>(connection, 'SELECT name FROM pragma_index_info(?)', name).map(
      (column) => column.name ?? '(expression)',
    ),
  }));
}
