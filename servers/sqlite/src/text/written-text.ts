import type { Written } from '../input/confirmed-write.ts';

export function writtenText({
  changes,
  totalChanges,
  lastInsertRowid,
  columns,
  rows,
  dryRun,
}: Written): string {
  const lines = [`${dryRun ? 'Would change' : 'Changed'} ${changes === 1 ? '1 row' : `${changes} rows`}`];
  if (totalChanges > changes) lines[0] += `, ${totalChanges} with those of triggers and foreign keys`;
  if (lastInsertRowid !== undefined && !dryRun)
    lines.push(`The last row has the rowid ${JSON.stringify(lastInsertRowid)}`);
  if (rows && columns) lines.push(columns.join(', '), ...rows.map((row) => JSON.stringify(row)));
  if (dryRun) lines.push('Nothing was changed: this was a dry run');
  return lines.join('\n');
}
