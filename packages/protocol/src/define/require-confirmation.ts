import { jsonSchema } from '../schema/schema.ts';
import type { Call } from './call.ts';
import { acceptedContent, elicit, type InputRequired, inputRequired, supportsForms } from './input.ts';

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
 * Requests the user's confirmation of a destructive step, if the client supports forms. Returns a question,
 * which the handler must return; the handler is then called again. Returns undefined once the user has
 * agreed, and for a client without forms. Throws an `Error` when the user declines.
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
 *     const question = await requireConfirmation(call, 'Delete all notes?');
 *     if (question) return question;
 *     notes.clear();
 *     return 'Deleted';
 *   },
 * });
 * ```
 */
export async function requireConfirmation(
  { inputs, clientCapabilities }: Pick<Call, 'inputs' | 'clientCapabilities'>,
  question: string,
): Promise<InputRequired | undefined> {
  if (!supportsForms(clientCapabilities)) return undefined;
  if (inputs['confirm'] === undefined) return inputRequired({ confirm: elicit(question, form) });
  const answer = await acceptedContent(inputs['confirm'], form);
  if (!answer?.confirm) throw new Error('Not done: the user declined');
  return undefined;
}
