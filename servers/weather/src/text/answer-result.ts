import { jsonResult, toolResult, type ToolResult } from '@mcp/protocol';
import type { Answer, Facts } from '@mcp/weather-data';

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
