import * as z from 'zod';
import type { StatementResult } from '../backend/engine/write-statements.ts';

/** The structured result of the tool write: a `StatementResult`, or the sums and the `statements` of several. */
export const writeOutput = z
  .looseObject({ changes: z.int(), dryRun: z.boolean() })
  .meta({ additionalProperties: true });

/** Characters of rows in the text. */
const maxTextLength = 16_384;

export function writeResult(
  results: readonly StatementResult[],
  dryRun: boolean,
): z.infer<typeof writeOutput> {
  const [first] = results;
  if (results.length === 1 && first) return { ...first, dryRun };
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
  { changes, totalChanges, lastInsertRowid, columns, rows, truncated, schemaChanges = [] }: StatementResult,
  dryRun: boolean,
): string[] {
  const lines = [`${dryRun ? 'Would change' : 'Changed'} ${changes === 1 ? '1 row' : `${changes} rows`}`];
  if (totalChanges > changes) lines[0] += `, ${totalChanges} including triggers and foreign keys`;
  for (const change of schemaChanges) lines[0] += `, ${dryRun ? change : past(change)}`;
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

const pastOf: { readonly [verb: string]: string } = { create: 'created', alter: 'altered', drop: 'dropped' };

/** `created table log` */
function past(change: string): string {
  const [verb = '', ...rest] = change.split(' ');
  return [pastOf[verb] ?? verb, ...rest].join(' ');
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
