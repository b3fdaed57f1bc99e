import { type Call, inputRequired, requireConfirmation, supportsForms } from '@mcp/protocol';
import { type LossQuestion, questionOfLoss, type WriteResult, type WriteStatement } from '@mcp/sqlite-pool';
import type { Sqlite } from '../context.ts';

interface WriteArguments {
  readonly statements: readonly WriteStatement[];
  readonly dryRun?: boolean;
  readonly timeoutMs?: number | undefined;
  /** Whether to create the database file if it is missing. */
  readonly create?: boolean | undefined;
  readonly database: string | undefined;
}

/** The results of the statements, or in `unconfirmed` a result that asks the user for confirmation. */
type Outcome =
  | (WriteResult & { readonly unconfirmed?: undefined })
  | { readonly unconfirmed: ReturnType<typeof inputRequired> };

/** If statements would lose data and the client supports forms, the user confirms all of them at once. */
export async function runWrite(
  call: Call<Sqlite>,
  { timeoutMs, database: name, ...request }: WriteArguments,
): Promise<Outcome> {
  const database = call.context.databases.get(name);
  const options = { timeoutMs, call };
  const { clientCapabilities } = call;
  if (request.dryRun || !supportsForms(clientCapabilities)) return database.write(request, options);
  // The user's answer is valid only together with the state that was sent with the question.
  if (call.state === undefined || call.inputs['confirm'] === undefined) {
    const { text, confirmed } = await questionOfLoss(database, request, options);
    if (text === undefined) return database.write({ ...request, confirmed }, options);
    const asked = await requireConfirmation({ inputs: {}, clientCapabilities }, text);
    return { unconfirmed: inputRequired(asked?.requests ?? {}, confirmed) };
  }
  await requireConfirmation(call, 'Go on?');
  return database.write({ ...request, confirmed: call.state as LossQuestion['confirmed'] }, options);
}
