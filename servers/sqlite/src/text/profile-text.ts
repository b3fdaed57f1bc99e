import { beginningOf, type ColumnProfile, type TableProfile } from '@mcp/sqlite-pool';
import { boundedLines } from './bounded-lines.ts';
import { maxNameLength, nameText } from './schema-text.ts';

export function profileText({ rows, more = false, columns, total, table }: TableProfile): string {
  const counted = `${rows.toLocaleString('en')} rows`;
  const head = `${nameText(beginningOf(table, maxNameLength))}: ${more ? `only the first ${counted}` : counted}`;
  const lines = boundedLines(
    columns.map(
      (column) => `- ${nameText(beginningOf(column.name, maxNameLength))}: ${factsText(column, rows)}`,
    ),
    (count) => `… and ${count} more columns: select them in a view or query`,
  );
  const note = total === undefined ? [] : [`The first ${columns.length} of ${total} columns`];
  return [head, ...lines, ...note].join('\n');
}

function factsText({ types, distinct, least, greatest, facets }: ColumnProfile, rows: number): string {
  const kinds = Object.entries(types).map(([type, count]) =>
    count === rows ? type : `${type} ${number(count)}`,
  );
  if (distinct === 0) return kinds.join(', ');
  const values = distinct === 1 ? valueText(least) : `${valueText(least)} to ${valueText(greatest)}`;
  const counted = facets.map(({ value, count }) => `${valueText(value)} ×${number(count)}`);
  return [kinds.join(', '), `${number(distinct)} distinct`, values, counted.join(', ')]
    .filter((part) => part !== '')
    .join('; ');
}

const maxValueLength = 80;

function valueText(value: unknown): string {
  return beginningOf(JSON.stringify(value), maxValueLength);
}

function number(count: number): string {
  return count.toLocaleString('en');
}
