import * as z from 'zod';
import type { StatementResult } from '../backend/engine/write-statements.ts';
import { cellSchema } from './cell-schema.ts';

/** The structured result of the tool write: of one statement, or the sums and each result of several. */
export const writeOutput = z.object({
  changes: z.int(),
  totalChanges: z.int(),
  lastInsertRowid: cellSchema.optional(),
  columns: z.array(z.string()).optional(),
  rows: z.array(z.array(cellSchema)).optional(),
  truncated: z.boolean().optional(),
  statements: z.array(z.looseObject({}).meta({ additionalProperties: true })).optional(),
  dryRun: z.boolean(),
});

export type WriteOutput = z.infer<typeof writeOutput>;

/** Characters of rows in the text. */
const maxTextLength = 16_384;

export function writeResult(results: readonly StatementResult[], dryRun: boolean): WriteOutput {
  const [first] = results;
  if (results.length === 1 && first) return { ...(first as WriteOutput), dryRun };
  return {
    changes: results.reduce((sum, { changes }) => sum + changes, 0),
    totalChanges: results.reduce((sum, { totalChanges }) => sum + totalChanges, 0),
    statements: results.map((result) => ({ ...result })),
    dryRun,
  };
}

/** The results for a model: what each statement changed or, in a dry run, would change. */
export function writeText(results: readonly StatementResult[], dryRun: boolean): string {
  const lines = results.flatMap((result, index) => {
    const [first = '', ...others] = statementLines(result, dryRun);
    return [results.length > 1 ? `${index + 1}. ${first}` : first, ...others];
  });
  if (dryRun) lines.push('Dry run: nothing was changed');
  return lines.join('\n');
}

function statementLines(
  { changes, totalChanges, lastInsertRowid, columns, rows, truncated }: StatementResult,
  dryRun: boolean,
): string[] {
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
  return lines;
}

function shownRows(rows: NonNullable<StatementResult['rows']>): string[] {
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
