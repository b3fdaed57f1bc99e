import { jsonResult, toolResult } from '@mcp/protocol';
import { beginningOf, type Databases, type StatementResult, type WriteResult } from '@mcp/sqlite-pool';
import { boundedFacts } from './bounded-facts.ts';
import { effectText } from './effect-text.ts';
import { boundedLines } from './bounded-lines.ts';
import type { WriteFacts } from './output-schemas.ts';
import { undoLines } from './undo-lines.ts';

interface WriteResultOptions {
  readonly dryRun: boolean;
  readonly databases: Databases;
  /** Whether a view shows the result, so that it has structured content in any case. */
  readonly shown?: boolean;
}

/** The question that the user has confirmed, in the `_meta` of a result. */
const confirmedKey = 'io.github.mcp-reference/confirmed';

/** The result of a tool that has written: what changed, and how it is undone. */
export function writeResult(
  { question, ...outcome }: WriteResult & { readonly question?: string },
  { dryRun, databases, shown = false }: WriteResultOptions,
) {
  const { results, undo, isFinal = false } = outcome;
  // `loss`, `loses` and `digest` only serve to check the confirmation of the user, so they are left out.
  const known = results.map((result) => {
    const { loss: _, loses: __, digest: ___, ...changed } = result;
    return changed;
  });
  const content = writeText(outcome, { dryRun, canExport: databases.exports !== undefined });
  const facts: WriteFacts = boundedFacts({ dryRun, results: known, undo, isFinal });
  if (!shown) return toolResult({ content, structuredContent: facts });
  const _meta = question === undefined ? {} : { _meta: { [confirmedKey]: question } };
  return jsonResult({ content, json: JSON.stringify(facts), ..._meta });
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
  { changes, totalChanges, lastInsertRowid, columns, rows, returned, schemaChanges }: StatementResult,
  dryRun: boolean,
): string[] {
  const lines = [effectText({ changes, totalChanges, schemaChanges }, dryRun)];
  if (lastInsertRowid !== undefined && !dryRun)
    lines.push(`Last inserted rowid: ${JSON.stringify(lastInsertRowid)}`);
  if (rows && columns) {
    lines.push(beginningOf(columns.join(', '), maxHeadLength), ...rows.map((row) => JSON.stringify(row)));
    if (returned !== undefined)
      lines.push(`The first ${rows.length} of ${returned} returned rows; read the others with query`);
  }
  return lines;
}
