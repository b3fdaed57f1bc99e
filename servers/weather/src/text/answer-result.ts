import { jsonResult, toolResult, type ToolResult } from '@mcp/protocol';
import type { Answer } from '@mcp/weather-data';

const results = new WeakMap<object, ToolResult<undefined>>();

/**
 * Returns the tool result of an answer: its text, always the same object for the same answer, so that it is
 * encoded once; or with `json` its facts, as structured content.
 */
export function answerResult(
  answer: Pick<Answer, 'text' | 'facts'>,
  format: 'text' | 'json' = 'text',
): ToolResult<undefined> {
  if (format === 'json')
    return jsonResult({ content: 'The answer is in structuredContent', json: JSON.stringify(answer.facts) });
  let result = results.get(answer);
  if (!result) results.set(answer, (result = toolResult({ content: answer.text, immutable: true })));
  return result;
}
