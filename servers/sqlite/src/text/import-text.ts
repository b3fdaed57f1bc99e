import { beginningOf, type ImportResult } from '@mcp/sqlite-pool';
import { boundedLines } from './bounded-lines.ts';
import { maxNameLength, nameText } from './schema-text.ts';
import { undoLines } from './undo-lines.ts';

interface ImportedTo {
  readonly path: string;
  readonly table: string;
  readonly append: boolean;
  readonly dryRun: boolean;
}

const maxColumnsLength = 20_000;
const maxSampleLength = 4_000;

/** The result of an import or its dry run: columns with types, the first rows, and how to undo it. */
export function importText(
  { format, rows, columns, sample, createdDatabase, undo, lacksUndo }: ImportResult,
  { path, table, append, dryRun }: ImportedTo,
): string {
  const counted = `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
  const target = `${append ? 'the' : 'the new'} table ${nameText(beginningOf(table, maxNameLength))}`;
  const lines = [
    `${dryRun ? 'Would import' : 'Imported'} ${counted} of ${JSON.stringify(path)} (${format}) into ${target}`,
    ...boundedLines(
      columns.map(
        ({ name, type, nulls }) =>
          `- ${nameText(beginningOf(name, maxNameLength))} ${type === '' ? 'of any type' : type}${nulls > 0 ? `, ${nulls.toLocaleString('en')} empty` : ''}`,
      ),
      (count) => `… and ${count} more columns`,
      maxColumnsLength,
    ),
  ];
  if (dryRun) {
    if (sample.length > 0)
      lines.push('First rows:', ...sample.map((row) => beginningOf(JSON.stringify(row), maxSampleLength)));
    return [...lines, 'Dry run: nothing was changed'].join('\n');
  }
  if (createdDatabase) lines.push('The database was created');
  // A trigger of the table may have changed old rows, too.
  return [...lines, ...(lacksUndo ? ['No undo'] : undoLines(undo))].join('\n');
}
