import { jsonResult, jsonSchema, type Schema, toolResult, type ToolResult } from '@mcp/protocol';
import { type Answer, type Facts, factSchemas } from '@mcp/weather-data';

const results = new WeakMap<object, ToolResult<Facts>>();

/**
 * With the format `text`, the result has the text and, if the tool has an output schema, the facts: that is
 * how the protocol sends a `toolResult`. With `json`, it has only the facts: a `jsonResult` has structured
 * content also if the tool has no output schema, as without `--structured`. Equal answers share their text,
 * which is encoded only once.
 */
export function answerResult(
  answer: Pick<Answer, 'text' | 'facts'>,
  format: 'text' | 'json' = 'text',
): ToolResult<Facts> {
  const { text, facts } = answer;
  if (format === 'json')
    return jsonResult({ content: 'The answer is in structuredContent', json: JSON.stringify(facts) });
  let result = results.get(answer);
  if (!result)
    results.set(answer, (result = toolResult({ content: text, structuredContent: facts, immutable: true })));
  return result;
}

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
