import { jsonSchema, type Schema } from '@mcp/protocol';
import { type Facts, factSchemas } from '@mcp/weather-data';

/** The schema refuses only failures, which have other members, so failures are sent as text. */
export function factsOf(answer: keyof typeof factSchemas): Schema<Facts> {
  return jsonSchema<Facts>(factSchemas[answer], (value) => {
    const facts = value as Facts;
    if ('error' in facts) throw new Error('a failure has no facts');
    return facts;
  });
}
