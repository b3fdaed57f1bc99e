import { jsonSchema, type Schema } from '@mcp/protocol';
import { type Facts, factSchemas } from '@mcp/weather-data';

/**
 * The output schema of a tool whose answers have these facts: the name of an answer of this server, or the
 * schema of another one, as `answerSchema` returns it. A failure of a tool has other facts, its kind and what
 * belongs to it, which do not match; clients check them against the same schema. This function refuses them,
 * and the protocol then sends them as JSON in a text instead of as structured content.
 */
export function factsOf(answer: keyof typeof factSchemas | Facts): Schema<Facts> {
  return jsonSchema<Facts>(typeof answer === 'string' ? factSchemas[answer] : answer, (value) => {
    const facts = value as Facts;
    if ('error' in facts) throw new Error('the facts of a failure');
    return facts;
  });
}
