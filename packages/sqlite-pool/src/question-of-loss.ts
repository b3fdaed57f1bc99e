import type { Database, RunOptions } from './database.ts';
import type { Loss } from './engine/writing/detect-loss.ts';
import type {
  ConfirmedChange,
  StatementResult,
  WriteRequest,
  WriteStatement,
} from './engine/writing/write-statements.ts';
import { beginningOf } from './errors.ts';
import { dataChange, destructiveKind } from './sql/statement-guard.ts';

/** A question that asks the user to confirm the loss of data by a write. */
export interface LossQuestion {
  /** The text of the question; undefined if nothing would be lost. */
  readonly text: string | undefined;
  /**
   * What to pass to `write` as `confirmed` after the user agreed; undefined if the statements lose nothing.
   */
  readonly confirmed: NonNullable<WriteRequest['confirmed']> | undefined;
}

const maxShownSql = 500;

/** Tries statements in a dry run, and returns a question about the data that they would lose. */
export async function questionOfLoss(
  database: Database,
  { statements, create }: Pick<WriteRequest, 'statements' | 'create'>,
  options?: RunOptions,
): Promise<LossQuestion> {
  const kinds = statements.map(({ sql }) => destructiveKind(sql));
  if (!kinds.includes('drop') && !statements.some(({ sql }) => dataChange(sql)))
    return { text: undefined, confirmed: undefined };
  const request = { statements, dryRun: true, detectLoss: true, create };
  const { results, isFinal = false } = await database.write(request, options);
  const losses = statements.map(({ sql }, index) => {
    const { changes, loss, schemaChanges } = results[index]!;
    const kind = kinds[index];
    if (kind === 'drop') return schemaChanges?.length === 0 ? undefined : beginningOf(sql, maxShownSql);
    if (loss) return allRowsOf(loss);
    return kind && changes > 0 ? rowsOf(kind, changes) : undefined;
  });
  const confirmed = statements.map((_, index) => {
    const isChecked = losses[index] !== undefined || kinds[index] !== undefined;
    return isChecked ? changeOf(results[index]!) : null;
  });
  return { text: questionText(database, statements, { losses, isFinal }), confirmed };
}

function questionText(
  { name }: Database,
  statements: readonly WriteStatement[],
  { losses, isFinal }: { readonly losses: readonly (string | undefined)[]; readonly isFinal: boolean },
): string | undefined {
  const shown = losses.filter((loss) => loss !== undefined);
  const [first] = shown;
  if (first === undefined) return undefined;
  if (statements.length > 1) {
    const list = shown.map((loss) => `- ${loss}`).join('\n');
    return `Run ${statements.length} statements in "${name}"? They lose data${isFinal ? ', and cannot be undone' : ''}:\n${list}`;
  }
  const sql = beginningOf(statements[0]!.sql, maxShownSql);
  const question = `${first === sql ? 'Run this statement' : first} in "${name}"?`;
  return `${question}${isFinal ? ' It cannot be undone' : ''}\n\n${sql}`;
}

function changeOf({ changes, loss, schemaChanges, loses, digest }: StatementResult): ConfirmedChange {
  return {
    changes,
    ...(loss && { loss }),
    ...(schemaChanges && { schemaChanges }),
    ...(loses !== undefined && digest !== undefined && { loses, digest }),
  };
}

function allRowsOf({ kind, rows, table }: Loss): string {
  return `${kind === 'delete' ? 'Delete' : 'Change'} all ${rows} rows of ${JSON.stringify(table)}`;
}

function rowsOf(kind: 'delete' | 'update', rows: number): string {
  return `${kind === 'delete' ? 'Delete' : 'Change'} ${rows === 1 ? '1 row' : `all ${rows} rows`}`;
}
