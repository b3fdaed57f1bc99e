import { jsonSchema, type Schema } from '@mcp/protocol';
import { type Facts, factSchemas } from '@mcp/weather-data';

/**
 * The schema of the facts of an answer. It throws for a failure, which has no facts, so that a failure is
 * sent only as text.
 */
export function factsOf(answer: keyof typeof factSchemas): Schema<Facts> {
  return jsonSchema<Facts>(factSchemas[answer], (value) => {
    const facts = value as Facts;
    if ('error' in facts) throw new Error('a failure has no facts');
    return facts;
  });
}
