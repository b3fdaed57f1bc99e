import { type Call, inputRequired, requireConfirmation, supportsForms } from '@mcp/protocol';
import type { Database } from '../backend/database.ts';
import type { Loss } from '../backend/engine/writing/detect-loss.ts';
import type {
  ConfirmedChange,
  StatementResult,
  WriteRequest,
  WriteResult,
  WriteStatement,
} from '../backend/engine/writing/write-statements.ts';
import { dataChange, destructiveKind } from '../backend/sql/statement-guard.ts';
import type { Sqlite } from '../context.ts';

interface WriteArguments {
  readonly statements: readonly WriteStatement[];
  readonly dryRun: boolean;
  readonly timeoutMs?: number | undefined;
  /** Whether to create a missing database file. */
  readonly create?: boolean | undefined;
  readonly database: string | undefined;
}

const maxShownSql = 500;

/** The results of the statements, or a result that asks the user for confirmation. */
type Outcome =
  | (WriteResult & { readonly unconfirmed?: undefined })
  | { readonly unconfirmed: ReturnType<typeof inputRequired> };

/**
 * Runs writing statements in one transaction. If one of them is destructive, the whole needs the user's
 * confirmation, once, where the client supports forms; the question says which rows would be lost.
 */
export async function runWrite(
  { databases }: Sqlite,
  call: Call,
  { statements, dryRun, timeoutMs, create, database: name }: WriteArguments,
): Promise<Outcome> {
  const database = databases.get(name);
  const { maxBytes } = databases;
  const options = { timeoutMs, call };
  if (dryRun || !supportsForms(call.clientCapabilities)) {
    return database.write({ statements, dryRun, maxBytes, create }, options);
  }
  // An answer is valid only with the state of its question.
  if (call.state === undefined || call.inputs['confirm'] === undefined) {
    const request = { statements, dryRun: true, maxBytes, detectLoss: true, create };
    const tryOut = async () => (await database.write(request, options)).results;
    const question = await confirmationQuestion(database, statements, tryOut);
    const confirmed = question?.confirmed;
    if (question?.text === undefined)
      return database.write({ statements, dryRun, maxBytes, create, confirmed }, options);
    const { clientCapabilities } = call;
    const asked = await requireConfirmation({ inputs: {}, clientCapabilities }, question.text);
    return { unconfirmed: inputRequired(asked?.requests ?? {}, question.confirmed) };
  }
  await requireConfirmation(call, 'Go on?');
  const confirmed = call.state as Confirmed;
  return database.write({ statements, dryRun, maxBytes, create, confirmed }, options);
}

/** The question to the user, if anything is lost, and the changes that are allowed after it. */
interface Question {
  readonly text?: string;
  readonly confirmed: Confirmed;
}

type Confirmed = NonNullable<WriteRequest['confirmed']>;

async function confirmationQuestion(
  { name }: Database,
  statements: readonly WriteStatement[],
  tryOut: () => Promise<readonly StatementResult[]>,
): Promise<Question | undefined> {
  const kinds = statements.map(({ sql }) => destructiveKind(sql));
  const [first] = statements;
  if (!kinds.includes('drop') && !statements.some(({ sql }) => dataChange(sql))) return undefined;
  const results = await tryOut();
  const losses = statements.map(({ sql }, index) => {
    const { changes, loss, schemaChanges } = results[index]!;
    const kind = kinds[index];
    if (kind === 'drop') return schemaChanges?.length === 0 ? undefined : abbreviated(sql);
    if (loss) return allRowsOf(loss);
    return kind && changes > 0 ? rowsOf(kind, changes) : undefined;
  });
  const shown = losses.filter((loss) => loss !== undefined);
  const confirmed = statements.map((_, index) => {
    const isChecked = losses[index] !== undefined || kinds[index] !== undefined;
    return isChecked ? changeOf(results[index]!) : null;
  });
  if (shown.length === 0) return { confirmed };
  if (statements.length === 1 && kinds[0] === 'drop') {
    return { text: `Run this statement in "${name}"?\n\n${shown[0]}`, confirmed };
  }
  if (statements.length === 1) {
    return { text: `${shown[0]} in "${name}"?\n\n${abbreviated(first!.sql)}`, confirmed };
  }
  const list = shown.map((loss) => `- ${loss}`).join('\n');
  return { text: `Run ${statements.length} statements in "${name}"? They lose data:\n${list}`, confirmed };
}

function changeOf({ changes, loss, schemaChanges, loses, digest }: StatementResult): ConfirmedChange {
  return {
    changes,
    ...(loss && { loss }),
    ...(schemaChanges && { schemaChanges }),
    ...(digest !== undefined && { loses, digest }),
  };
}

function abbreviated(sql: string): string {
  return sql.length > maxShownSql ? `${sql.slice(0, maxShownSql).toWellFormed()}…` : sql;
}

function allRowsOf({ kind, rows, table }: Loss): string {
  return `${kind === 'delete' ? 'Delete' : 'Change'} all ${rows} rows of ${JSON.stringify(table)}`;
}

function rowsOf(kind: 'delete' | 'update', rows: number): string {
  return `${kind === 'delete' ? 'Delete' : 'Change'} ${rows === 1 ? '1 row' : `all ${rows} rows`}`;
}
