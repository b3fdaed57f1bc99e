import { jsonResult, toolResult, type ToolResult } from '@mcp/protocol';
import type { Answer } from '@mcp/weather-data';

const results = new WeakMap<object, ToolResult<undefined>>();

/**
 * Returns the tool result of an answer: its text or, with `json`, its facts as structured content. The
 * same answer has the same text, which is encoded once. The type is that of tools without `outputSchema`,
 * which would require structured content of each answer.
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
