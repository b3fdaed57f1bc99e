import { type Call, requireConfirmation } from '@mcp/protocol';

interface Loss {
  readonly question: string;
  /** Why the loss cannot be undone; undefined if it can. */
  readonly why: string | undefined;
  /** Whether the caller says that the work may be lost. */
  readonly force: boolean;
}

/**
 * Asks the user to confirm the loss. If the client cannot ask the user, throws unless the loss can be undone
 * or `force` is true.
 */
export async function confirmLoss(
  call: Pick<Call, 'ask' | 'clientCapabilities'>,
  { question, why, force }: Loss,
): Promise<void> {
  const text = why === undefined ? question : `${question} This cannot be undone: ${why}.`;
  const confirmed = await requireConfirmation(call, text);
  if (!confirmed) refuseLoss(why, force);
}

/** Throws if the loss cannot be undone, for the reason `why`, unless `force` is true. */
export function refuseLoss(why: string | undefined, force: boolean): void {
  if (why === undefined || force) return;
  throw new Error(`Refused: this call cannot be undone, because ${why}; pass force to do it anyway`);
}
