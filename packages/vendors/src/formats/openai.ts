import { isObject } from '@mcp/kit';
import { isImage, mediaOf, textOfAll } from '../content/result-blocks.ts';
import type { Vendor } from '../vendor.ts';
import { openAiFunctions, parseArguments, restoreArguments } from './openai-tools.ts';

/**
 * The Chat Completions API of OpenAI.
 * @see https://platform.openai.com/docs/guides/function-calling?api-mode=chat
 */
export const openAi: Vendor = {
  toTools(tools, options) {
    const { functions, ...rest } = openAiFunctions(tools, options);
    return { ...rest, tools: functions.map((each) => ({ type: 'function', function: each })) };
  },

  readCalls(message) {
    return toolCalls(message).map((call) => {
      const { id, function: called } = isObject(call) ? call : {};
      const { name, arguments: text } = isObject(called) ? called : {};
      if (typeof name !== 'string') throw new Error('A tool call has no "function.name"');
      return { id: typeof id === 'string' ? id : undefined, name, ...parseArguments(text) };
    });
  },

  restoreArguments,

  // A tool message accepts only text, so all images follow in one message of the user.
  toResults(outcomes) {
    const images = outcomes.flatMap(({ call, content }) =>
      content.flatMap((block) => {
        const media = mediaOf(block);
        if (!media || !isImage(media)) return [];
        const url = `data:${media.mimeType};base64,${media.data}`;
        return [
          { type: 'text', text: `Image in the result of ${call.name} (${call.id ?? 'no id'}):` },
          { type: 'image_url', image_url: { url } },
        ];
      }),
    );
    const results = outcomes.map(({ call, content, isError }) => ({
      role: 'tool',
      tool_call_id: call.id ?? '',
      content: (isError ? 'Error: ' : '') + textOfAll(content),
    }));
    return images.length === 0 ? results : [...results, { role: 'user', content: images }];
  },
};

/** The tool calls of a message, which may be an assistant message, a choice, or a whole response. */
function toolCalls(message: unknown): readonly unknown[] {
  if (isObject(message)) {
    const { tool_calls: calls, message: inner, choices } = message;
    if (Array.isArray(calls)) return calls;
    if (inner !== undefined) return toolCalls(inner);
    if (Array.isArray(choices)) return choices.flatMap((choice) => toolCalls(choice));
    if (message['role'] === 'assistant') return [];
  }
  throw new Error('Expected an assistant message with "tool_calls"');
}
