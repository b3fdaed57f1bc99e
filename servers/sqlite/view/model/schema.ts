import { listOf, objectOf } from '@mcp/views/model';
import { lineOf } from './answer.ts';

export interface SchemaColumn {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly notNull: boolean;
  /** The table and the column that it references; empty without a foreign key. */
  readonly references: string;
}

export interface SchemaTable {
  readonly name: string;
  /** The name as it is; undefined if it is too long for a statement. */
  readonly fullName: string | undefined;
  readonly kind: string;
  readonly columns: readonly SchemaColumn[];
  /** How many columns are not in `columns`. */
  readonly moreColumns: number;
  readonly rows: number | undefined;
  readonly hasMoreRows: boolean;
  readonly keys: readonly { readonly column: string; readonly table: string; readonly to: string }[];
}

export interface Schema {
  readonly database: string;
  readonly tables: readonly SchemaTable[];
  readonly total: number;
}

const maxTables = 300;
const maxColumns = 100;
const maxNameLength = 60;

/** Reads the structured content of `read_schema`. */
export function schemaOf(content: unknown): Schema {
  const { database, tables, total } = objectOf(content);
  const shown = listOf(tables, maxTables).map((each) => tableOf(each));
  return {
    database: lineOf(database),
    tables: shown,
    total: typeof total === 'number' ? total : shown.length,
  };
}

function tableOf(value: unknown): SchemaTable {
  const { name, kind, details, foreignKeys, rows, more, columns } = objectOf(value);
  const keys = listOf(foreignKeys, maxColumns).flatMap((each) => {
    const key = objectOf(each);
    const to = listOf(key['to'], maxColumns);
    return listOf(key['columns'], maxColumns).map((column, index) => ({
      column: nameOf(column),
      table: nameOf(key['table']),
      to: nameOf(to[index]),
    }));
  });
  const visible = listOf(details, maxColumns).map(objectOf);
  const shown = visible.filter(({ hidden }) => hidden !== true).map((each) => columnOf(each, keys));
  return {
    name: nameOf(name),
    fullName: typeof name === 'string' && name.length < 1_000 ? name : undefined,
    kind: lineOf(kind, 20),
    columns: shown,
    moreColumns: Math.max(0, (typeof columns === 'number' ? columns : 0) - visible.length),
    rows: typeof rows === 'number' ? rows : undefined,
    hasMoreRows: more === true,
    keys,
  };
}

function columnOf(
  { name, type, primaryKey, notNull }: ReturnType<typeof objectOf>,
  keys: SchemaTable['keys'],
): SchemaColumn {
  const shown = nameOf(name);
  const key = keys.find(({ column }) => column === shown);
  return {
    name: shown,
    type: lineOf(type, 30),
    isKey: typeof primaryKey === 'number',
    notNull: notNull === true,
    references: key ? [key.table, key.to].filter(Boolean).join('.') : '',
  };
}

function nameOf(value: unknown): string {
  return lineOf(value, maxNameLength);
}

/** A statement that reads a table. */
export function selectFrom(name: string): string {
  return `SELECT * FROM "${name.replaceAll('"', '""')}"`;
}
