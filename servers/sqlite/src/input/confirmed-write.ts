import { type Call, requireConfirmation, supportsForms } from '@mcp/protocol';
import { questionOfLoss, type WriteResult, type WriteStatement } from '@mcp/sqlite-pool';
import type { Sqlite } from '../context.ts';

interface WriteArguments {
  readonly statements: readonly WriteStatement[];
  readonly dryRun?: boolean;
  readonly timeoutMs?: number | undefined;
  /** Whether to create the database file if it is missing. */
  readonly create?: boolean | undefined;
  readonly database: string | undefined;
}

/** What was written, and the question that the user has confirmed before, if there was one. */
export type ConfirmedWrite = WriteResult & { readonly question?: string };

/**
 * Runs statements that write. If they would lose data and the client supports forms, the user first confirms
 * all losses with one answer.
 */
export async function runWrite(
  call: Call<Sqlite>,
  { timeoutMs, database: name, ...request }: WriteArguments,
): Promise<ConfirmedWrite> {
  const database = call.context.databases.get(name);
  const options = { timeoutMs, call };
  if (request.dryRun || !supportsForms(call.clientCapabilities)) return database.write(request, options);
  // The losses are searched for only once, even if the call is repeated after the question. The user confirms
  // these losses, and the write fails if it would lose more.
  const { text, confirmed } = await call.once('loss', () => questionOfLoss(database, request, options));
  if (text !== undefined) await requireConfirmation(call, text);
  const written = await database.write({ ...request, confirmed }, options);
  return text === undefined ? written : { ...written, question: text };
}
