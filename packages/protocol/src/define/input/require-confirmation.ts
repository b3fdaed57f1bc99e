import { jsonSchema } from '../../schema/schema.ts';
import type { Call } from '../call.ts';
import { elicit, supportsForms } from './input.ts';

const form = jsonSchema<{ confirm: boolean }>(
  {
    type: 'object',
    properties: { confirm: { type: 'boolean', description: 'Go on' } },
    required: ['confirm'],
  },
  (value) => {
    const { confirm: answer } = value as { confirm?: unknown };
    if (typeof answer !== 'boolean') throw new Error('"confirm" must be true or false');
    return { confirm: answer };
  },
);

/**
 * Asks the user to confirm a destructive step. Resolves with true once the user has agreed to exactly this
 * question, and with false without asking if the client does not support forms. Throws an `Error` when the
 * user declines. A handler that asks twice gives each question its own `key`.
 * @example
 * ```ts
 * import { type Call, defineTool, requireConfirmation } from '@mcp/protocol';
 *
 * type Notes = { readonly notes: Map<string, string> };
 *
 * export const clear = defineTool({
 *   name: 'clear',
 *   description: 'Deletes all notes.',
 *   async run(_, call: Call<Notes>) {
 *     const { notes } = call.context;
 *     await requireConfirmation(call, 'Delete all notes?');
 *     notes.clear();
 *     return 'Deleted';
 *   },
 * });
 * ```
 */
export async function requireConfirmation(
  { ask, clientCapabilities }: Pick<Call, 'ask' | 'clientCapabilities'>,
  question: string,
  key = 'confirm',
): Promise<boolean> {
  if (!supportsForms(clientCapabilities)) return false;
  const answer = await ask(key, elicit(question, form));
  if (!answer?.confirm) throw new Error('Not done: the user declined');
  return true;
}
