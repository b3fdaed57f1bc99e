import type { Column, TableDescription, TableList, TableSummary } from '../backend/engine/schema.ts';

/** Tables for a model, one line each. Unusual names are quoted. */
export function tablesText({ tables, total, nextCursor }: TableList): string {
  if (tables.length === 0) return 'No tables';
  const lines = tables.map((table) => `${nameText(table.name)}: ${factsText(table)}`);
  if (nextCursor !== undefined)
    lines.push(`${tables.length} of ${total} tables; continue with cursor "${nextCursor}"`);
  return lines.join('\n');
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
