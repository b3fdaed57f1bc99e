import { accepted, elicit, inputRequired, type Call } from '@mcp/protocol';
import * as z from 'zod';

type Asking = Pick<Call, 'inputs' | 'clientCapabilities'>;

const form = z.object({ confirm: z.boolean().describe('Go on') });

/**
 * Asks the user before something is lost, where the client can be asked: what it gives has to be returned.
 * Throws when the user does not want it.
 */
export async function unconfirmed({ inputs, clientCapabilities }: Asking, question: string) {
  if (!clientCapabilities['elicitation']) return undefined;
  if (inputs['confirm'] === undefined) return inputRequired({ confirm: elicit(question, form) });
  const answer = await accepted(inputs['confirm'], form);
  if (!answer?.confirm) throw new Error('Not done: the user declined');
  return undefined;
}
