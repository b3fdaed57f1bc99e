import {
  beginningOf,
  type Column,
  type TableDescription,
  type SchemaDescription,
  type TableList,
  type TableSchema,
  type TableSummary,
} from '@mcp/sqlite-pool';
import { boundedLines } from './bounded-lines.ts';

/** Maximum number of characters of a name that an answer repeats, and of a column's type and default. */
export const maxNameLength = 200;
/**
 * Maximum number of characters of a table's name in the first line of its description, and of each line of
 * the description's parts, such as the foreign keys.
 */
const maxHeadLength = 2_000;
/** Maximum number of characters of one SQL statement. */
const maxSqlLength = 8_000;
/** Maximum number of characters of all SQL statements of one table. */
const maxStatementsLength = 20_000;
/** Maximum number of characters of one part of a description, such as the foreign keys. */
const maxPartLength = 4_000;
/** Maximum number of characters of the list of columns in a description. */
const maxColumnsLength = 10_000;

/** The text for a list of tables: one line each, then their number. Unusual names are quoted. */
export function tablesText({ tables, total, near = [], nextCursor }: TableList, filter?: string): string {
  if (total === 0) return noTablesText(near, filter);
  const lines = tables.map(headText);
  return [...lines, countedText(tables.length, total, nextCursor)].join('\n');
}

/** The text for the whole schema: the facts and the SQL of each table. */
export function schemaText({ tables, total, nextCursor }: SchemaDescription): string {
  if (total === 0) return 'No tables';
  return [...tables.map(tableSchemaText), countedText(tables.length, total, nextCursor)].join('\n\n');
}

function tableSchemaText(table: TableSchema): string {
  const statements = boundedLines(
    table.sql.map((sql) => `${beginningOf(sql, maxSqlLength)};${restOfSql(sql)}`),
    (count) => `… and ${count} more statements: describe_table with this table names them`,
    maxStatementsLength,
  );
  return [headText(table), ...statements].join('\n');
}

/** Says how long a statement is that was cut, and how to read it. */
function restOfSql(sql: string): string {
  return sql.length > maxSqlLength
    ? `\n-- ${maxSqlLength} of ${sql.length} characters; substr(sql, ${maxSqlLength + 1}) of sqlite_schema is the rest`
    : '';
}

function headText(table: TableSummary): string {
  return `${nameText(beginningOf(table.name, maxHeadLength))}: ${factsText(table)}`;
}

function countedText(count: number, total: number, nextCursor: string | undefined): string {
  const counted = total === 1 ? '1 table or view' : `${total.toLocaleString('en')} tables and views`;
  return nextCursor === undefined ? counted : `${count} of ${counted}; continue with cursor "${nextCursor}"`;
}

function noTablesText(near: readonly string[], filter: string | undefined): string {
  if (filter === undefined) return 'No tables';
  const hint =
    near.length === 0 ? '' : `\nDid you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?`;
  return `No table or view has ${JSON.stringify(beginningOf(filter, maxNameLength))} in its name${hint}`;
}

export function tableText(table: TableDescription): string {
  const { strict, withoutRowid } = table;
  const kinds = [strict ? 'strict' : '', withoutRowid ? 'without rowid' : ''].filter((each) => each !== '');
  return [
    `${[headText(table), ...kinds].join(', ')}`,
    '',
    ...boundedLines(
      table.details.map((column) => `- ${columnText(column)}`),
      (count) => `… and ${count} more columns: SELECT * FROM pragma_table_xinfo has all`,
      maxColumnsLength,
    ),
    ...(table.error === undefined ? [] : [`Cannot be read: ${table.error}`]),
    ...section(
      'Foreign keys',
      table.foreignKeys.map(
        ({ columns, references }) => `${columns.map(nameText).join(', ')} → ${references}`,
      ),
    ),
    ...section(
      'Indexes',
      table.indexes.map(
        ({ name, unique, columns }) =>
          `${nameText(name)} (${columns.map(nameText).join(', ')})${unique ? ', unique' : ''}`,
      ),
    ),
    ...section('Triggers', table.triggers.map(nameText)),
    '',
    `${beginningOf(table.sql, maxSqlLength)}${restOfSql(table.sql)}`,
  ].join('\n');
}

export function nameText(name: string): string {
  return /^[\p{L}\p{N}_ .-]+$/u.test(name) ? name : JSON.stringify(name);
}

function factsText({ kind, columns, rows, more }: TableSummary): string {
  const counted = rows === undefined ? [] : [`${rows.toLocaleString('en')}${more ? '+' : ''} rows`];
  return [kind, `${columns} columns`, ...counted].join(', ');
}

function columnText(column: Column): string {
  return [
    nameText(beginningOf(column.name, maxNameLength)),
    beginningOf(column.type, maxNameLength),
    column.primaryKey === undefined
      ? ''
      : `primary key${column.primaryKey > 1 ? ` (${column.primaryKey})` : ''}`,
    column.notNull ? 'not null' : '',
    column.generated === undefined ? '' : `generated, ${column.generated}`,
    column.default === undefined ? '' : `default ${beginningOf(column.default, maxNameLength)}`,
    column.hidden ? 'hidden' : '',
  ]
    .filter((each) => each !== '')
    .join(' ');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const rest = (count: number) => `… and ${count} more: the table sqlite_schema has their SQL`;
  return [
    '',
    `${title}:`,
    ...boundedLines(
      lines.map((line) => `- ${beginningOf(line, maxHeadLength)}`),
      rest,
      maxPartLength,
    ),
  ];
}
