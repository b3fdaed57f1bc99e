import { type Call, requireConfirmation, supportsForms } from '@mcp/protocol';
import { losesMuch } from '../backend/sql/statement-guard.ts';
import type { Parameters } from '../backend/sql/bind-parameters.ts';
import type { Sqlite } from '../context.ts';
import type { Written } from '../text/written-text.ts';

interface Statement {
  readonly sql: string;
  readonly params?: Parameters | undefined;
  readonly dryRun: boolean;
  readonly database: string | undefined;
}

/**
 * Runs a statement that writes. Before one that may take away much, the user is asked where the client can be asked,
 * and told what it would change.
 */
export async function runWrite(
  { databases }: Sqlite,
  call: Call,
  { sql, params, dryRun, database: name }: Statement,
): Promise<Written | NonNullable<Awaited<ReturnType<typeof requireConfirmation>>>> {
  const database = databases.named(name);
  const { maxBytes } = databases;
  if (!dryRun) {
    const question = await questionBefore();
    const asked = question === undefined ? undefined : await requireConfirmation(call, question);
    if (asked) return asked;
  }
  return (await database.write({ sql, params, dryRun, maxBytes }, { call })) as Written;

  async function questionBefore(): Promise<string | undefined> {
    const loses = losesMuch(sql);
    if (loses === undefined || !supportsForms(call.clientCapabilities)) return undefined;
    const shown = sql.length > 500 ? `${sql.slice(0, 500)}…` : sql;
    if (loses === 'drop') return `Take this away from "${database.name}"?\n\n${shown}`;
    const { changes } = await database.write({ sql, params, dryRun: true, maxBytes }, { call });
    const what = loses === 'delete' ? 'Delete' : 'Change';
    return `${what} ${changes === 1 ? '1 row' : `all ${changes} rows`} in "${database.name}"?\n\n${shown}`;
  }
}
