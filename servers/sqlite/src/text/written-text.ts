import * as z from 'zod';

/** What a write has changed. */
export const writtenOutput = z.object({
  changes: z.int(),
  totalChanges: z.int(),
  lastInsertRowid: z.unknown().optional(),
  columns: z.array(z.string()).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  truncated: z.boolean().optional(),
  dryRun: z.boolean(),
});

export type Written = z.infer<typeof writtenOutput>;

/** Characters of rows that are shown as text. */
const longest = 16_384;

export function writtenText({
  changes,
  totalChanges,
  lastInsertRowid,
  columns,
  rows,
  truncated,
  dryRun,
}: Written): string {
  const lines = [`${dryRun ? 'Would change' : 'Changed'} ${changes === 1 ? '1 row' : `${changes} rows`}`];
  if (totalChanges > changes) lines[0] += `, ${totalChanges} with those of triggers and foreign keys`;
  if (lastInsertRowid !== undefined && !dryRun)
    lines.push(`The last row has the rowid ${JSON.stringify(lastInsertRowid)}`);
  if (rows && columns) {
    const shown = shownRows(rows);
    lines.push(columns.join(', '), ...shown);
    if (shown.length < rows.length) lines.push(`${shown.length} of ${rows.length} rows shown`);
    if (truncated) lines.push('RETURNING gave more rows than fit');
  }
  if (dryRun) lines.push('Nothing was changed: this was a dry run');
  return lines.join('\n');
}

function shownRows(rows: NonNullable<Written['rows']>): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = JSON.stringify(row);
    length += line.length;
    if (length > longest) break;
    shown.push(line);
  }
  return shown;
}
