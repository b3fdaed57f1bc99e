import { type Call, requireConfirmation, supportsForms } from '@mcp/protocol';
import type { SqlParameters } from '../backend/sql/bind-parameters.ts';
import type { Loss } from '../backend/engine/detect-loss.ts';
import { dataChange, destructiveKind } from '../backend/sql/statement-guard.ts';
import type { Sqlite } from '../context.ts';
import type { WriteResult } from '../text/write-text.ts';

interface WriteArguments {
  readonly sql: string;
  readonly params?: SqlParameters | undefined;
  readonly dryRun: boolean;
  readonly database: string | undefined;
}

const maxShownSql = 500;

/**
 * Runs a writing statement. A destructive one needs the user's confirmation where the client supports forms; the
 * question says how many rows would change.
 */
export async function runWrite(
  { databases }: Sqlite,
  call: Call,
  { sql, params, dryRun, database: name }: WriteArguments,
): Promise<WriteResult | NonNullable<Awaited<ReturnType<typeof requireConfirmation>>>> {
  const database = databases.get(name);
  const { maxBytes } = databases;
  if (!dryRun) {
    const question = await confirmationQuestion();
    const unconfirmed = question === undefined ? undefined : await requireConfirmation(call, question);
    if (unconfirmed) return unconfirmed;
  }
  return (await database.write({ sql, params, dryRun, maxBytes }, { call })) as WriteResult;

  async function confirmationQuestion(): Promise<string | undefined> {
    if (!supportsForms(call.clientCapabilities)) return undefined;
    const shown = sql.length > maxShownSql ? `${sql.slice(0, maxShownSql)}…` : sql;
    const kind = destructiveKind(sql);
    if (kind === 'drop') return `Run this statement in "${database.name}"?\n\n${shown}`;
    if (!dataChange(sql)) return undefined;
    const { changes, loss } = await database.write(
      { sql, params, dryRun: true, maxBytes, detectLoss: true },
      { call },
    );
    const what = loss ? allRowsOf(loss) : kind && rowsOf(kind, changes);
    return what && `${what} in "${database.name}"?\n\n${shown}`;
  }
}

function allRowsOf({ kind, rows, table }: Loss): string {
  return `${kind === 'delete' ? 'Delete' : 'Change'} all ${rows} rows of ${JSON.stringify(table)}`;
}

function rowsOf(kind: 'delete' | 'update', rows: number): string {
  return `${kind === 'delete' ? 'Delete' : 'Change'} ${rows === 1 ? '1 row' : `all ${rows} rows`}`;
}
