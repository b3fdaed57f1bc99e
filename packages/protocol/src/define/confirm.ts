import { jsonSchema } from '../schema/schema.ts';
import type { Call } from './call.ts';
import { accepted, elicit, type InputRequired, inputRequired, showsForms } from './input.ts';

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
 * Asks the user before something is lost, where the client can show a form. What it gives is to be returned from the
 * handler, which is then called again; undefined means to go on. Throws when the user does not want it.
 *
 *     const asked = await confirm(call, 'Delete all notes?');
 *     if (asked) return asked;
 */
export async function confirm(
  { inputs, clientCapabilities }: Pick<Call, 'inputs' | 'clientCapabilities'>,
  question: string,
): Promise<InputRequired | undefined> {
  if (!showsForms(clientCapabilities)) return undefined;
  if (inputs['confirm'] === undefined) return inputRequired({ confirm: elicit(question, form) });
  const answer = await accepted(inputs['confirm'], form);
  if (!answer?.confirm) throw new Error('Not done: the user declined');
  return undefined;
}
