import { toolResult } from '@mcp/protocol';
import { beginningOf, type Databases, type StatementResult, type WriteResult } from '@mcp/sqlite-pool';
import { boundedFacts } from './bounded-facts.ts';
import { boundedLines } from './bounded-lines.ts';
import type { WriteFacts } from './output-schemas.ts';
import { undoLines } from './undo-lines.ts';

interface WriteResultOptions {
  readonly dryRun: boolean;
  readonly databases: Databases;
}

/** The result of a tool that has written: what changed, and how it is undone. */
export function writeResult(outcome: WriteResult, { dryRun, databases }: WriteResultOptions) {
  const { results, undo, isFinal = false } = outcome;
  // `loss`, `loses` and `digest` only serve to check the confirmation of the user, so they are left out.
  const known = results.map((result) => {
    const { loss: _, loses: __, digest: ___, ...changed } = result;
    return changed;
  });
  return toolResult<WriteFacts>({
    content: writeText(outcome, { dryRun, canExport: databases.exports !== undefined }),
    structuredContent: boundedFacts({ dryRun, results: known, undo, isFinal }),
  });
}

interface WriteTextOptions {
  readonly dryRun: boolean;
  /** Whether the tool export can make a backup. */
  readonly canExport: boolean;
}

/** The text for the results of a write: the changes that each statement made or, in a dry run, would make. */
function writeText(
  { results, undo, isFinal = false, lacksUndo = false }: WriteResult,
  { dryRun, canExport }: WriteTextOptions,
): string {
  const lines = results.flatMap((result, index) => {
    const [first = '', ...others] = statementLines(result, dryRun);
    return [results.length > 1 ? `${index + 1}. ${first}` : first, ...others];
  });
  const shown = boundedLines(lines, (count) => `… and ${count} more lines; query reads the changed rows`);
  if (!dryRun) return [...shown, ...(isFinal ? ['No undo'] : undoLines(undo, lacksUndo))].join('\n');
  const backup = canExport ? ': export a backup first' : '';
  const note = isFinal ? `; the write would have no undo${backup}` : '';
  return [...shown, `Dry run: nothing was changed${note}`].join('\n');
}

const maxHeadLength = 4_000;

function statementLines(
  { changes, totalChanges, lastInsertRowid, columns, rows, returned, schemaChanges = [] }: StatementResult,
  dryRun: boolean,
): string[] {
  const lines = [`${dryRun ? 'Would change' : 'Changed'} ${changes === 1 ? '1 row' : `${changes} rows`}`];
  if (totalChanges > changes) lines[0] += `, ${totalChanges} including triggers and foreign keys`;
  for (const change of schemaChanges) lines[0] += `, ${dryRun ? change : past(change)}`;
  if (lastInsertRowid !== undefined && !dryRun)
    lines.push(`Last inserted rowid: ${JSON.stringify(lastInsertRowid)}`);
  if (rows && columns) {
    lines.push(beginningOf(columns.join(', '), maxHeadLength), ...rows.map((row) => JSON.stringify(row)));
    if (returned !== undefined)
      lines.push(`The first ${rows.length} of ${returned} returned rows; read the others with query`);
  }
  return lines;
}

const pastOf: { readonly [verb: string]: string } = { create: 'created', alter: 'altered', drop: 'dropped' };

/** Returns a change in the past tense, such as `created table log`. */
function past(change: string): string {
  const [verb = '', ...rest] = change.split(' ');
  return [pastOf[verb] ?? verb, ...rest].join(' ');
}
