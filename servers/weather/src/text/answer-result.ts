import { jsonResult, toolResult, type ToolResult } from '@mcp/protocol';
import type { Answer } from '@mcp/weather-data';

/** Returns the tool result of an answer: its text or, with `json`, its facts as structured content. */
export function answerResult(
  { text, facts }: Pick<Answer, 'text' | 'facts'>,
  format: 'text' | 'json' = 'text',
): ToolResult<undefined> {
  if (format === 'text') return toolResult({ content: text });
  return jsonResult({ content: 'The answer is in structuredContent', json: JSON.stringify(facts) });
}
