import * as z from 'zod';
import { cellSchema } from './cell-schema.ts';

/** The structured result of the tool write. */
export const writeOutput = z.object({
  changes: z.int(),
  totalChanges: z.int(),
  lastInsertRowid: cellSchema.optional(),
  columns: z.array(z.string()).optional(),
  rows: z.array(z.array(cellSchema)).optional(),
  truncated: z.boolean().optional(),
  dryRun: z.boolean(),
});

export type WriteResult = z.infer<typeof writeOutput>;

/** Characters of rows in the text. */
const maxTextLength = 16_384;

export function writeText({
  changes,
  totalChanges,
  lastInsertRowid,
  columns,
  rows,
  truncated,
  dryRun,
}: WriteResult): string {
  const lines = [`${dryRun ? 'Would change' : 'Changed'} ${changes === 1 ? '1 row' : `${changes} rows`}`];
  if (totalChanges > changes) lines[0] += `, ${totalChanges} including triggers and foreign keys`;
  if (lastInsertRowid !== undefined && !dryRun)
    lines.push(`Last inserted rowid: ${JSON.stringify(lastInsertRowid)}`);
  if (rows && columns) {
    const shown = shownRows(rows);
    lines.push(columns.join(', '), ...shown);
    if (shown.length < rows.length) lines.push(`${shown.length} of ${rows.length} rows shown`);
    if (truncated) lines.push('RETURNING returned more rows than fit');
  }
  if (dryRun) lines.push('Dry run: nothing was changed');
  return lines.join('\n');
}

function shownRows(rows: NonNullable<WriteResult['rows']>): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = JSON.stringify(row);
    length += line.length;
    if (length > maxTextLength) break;
    shown.push(line);
  }
  return shown;
}
