import { type Call, type InputRequired, requireConfirmation } from '@mcp/protocol';

interface Loss {
  readonly question: string;
  /** Why the loss cannot be undone; undefined if it can. */
  readonly why: string | undefined;
  /** Whether the caller says that the work may be lost. */
  readonly force: boolean;
}

/**
 * Asks the user. If the client cannot ask, throws if the loss cannot be undone, unless the caller forces it.
 */
export async function confirmLoss(
  call: Pick<Call, 'inputs' | 'clientCapabilities'>,
  { question, why, force }: Loss,
): Promise<InputRequired | undefined> {
  const asked = await requireConfirmation(
    call,
    why === undefined ? question : `${question} This cannot be undone: ${why}.`,
  );
  if (asked || why === undefined || force || call.inputs['confirm'] !== undefined) return asked;
  throw new Error(`Refused: it cannot be undone, because ${why}; with force it is done nevertheless`);
}
