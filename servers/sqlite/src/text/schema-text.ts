import {
  beginningOf,
  type Column,
  type TableDescription,
  type TableList,
  type TableSummary,
} from '@mcp/sqlite-pool';

/** Maximum number of characters of a name in a call that a text repeats. */
export const maxNameLength = 200;

/** The text for a list of tables: one line each, then their number. Unusual names are quoted. */
export function tablesText({ tables, total, near = [], nextCursor }: TableList, filter?: string): string {
  if (total === 0) return noTablesText(near, filter);
  const lines = tables.map((table) => `${nameText(table.name)}: ${factsText(table)}`);
  const counted = total === 1 ? '1 table or view' : `${total.toLocaleString('en')} tables and views`;
  lines.push(
    nextCursor === undefined
      ? counted
      : `${tables.length} of ${counted}; continue with cursor "${nextCursor}"`,
  );
  return lines.join('\n');
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
    `${nameText(table.name)}: ${[factsText(table), ...kinds].join(', ')}`,
    '',
    ...table.details.map((column) => `- ${columnText(column)}`),
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
    table.sql,
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
    nameText(column.name),
    column.type,
    column.primaryKey === undefined
      ? ''
      : `primary key${column.primaryKey > 1 ? ` (${column.primaryKey})` : ''}`,
    column.notNull ? 'not null' : '',
    column.generated === undefined ? '' : `generated, ${column.generated}`,
    column.default === undefined ? '' : `default ${column.default}`,
    column.hidden ? 'hidden' : '',
  ]
    .filter((each) => each !== '')
    .join(' ');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `- ${line}`)];
}
