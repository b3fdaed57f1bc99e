import { jsonResult, toolResult, type ToolResult } from '@mcp/protocol';
import type { Answer, Facts } from '@mcp/weather-data';

const results = new WeakMap<object, ToolResult<Facts>>();

/**
 * Returns the tool result of an answer. With the format `text`, it has the text, and also the facts as
 * structured content if the tool has an output schema. With `json`, it has only the facts, as structured
 * content. Equal answers share their text, which is encoded only once.
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
