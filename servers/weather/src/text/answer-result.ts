import { jsonResult, toolResult, type ToolResult } from '@mcp/protocol';
import type { Answer, Facts } from '@mcp/weather-data';

const results = new WeakMap<object, ToolResult<Facts>>();

/**
 * Returns the tool result of an answer: its text, with its facts where the tool has an output schema; with
 * `json`, its facts as structured content alone. The same answer has the same text, which is encoded once.
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
