import { isObject } from '@mcp/kit';
import { isImage, mediaOf, mediaPlaceholder, type ResultBlock, textOf } from '../content/result-blocks.ts';
import type { Vendor } from '../vendor.ts';
import { openAiFunctions, parseArguments, restoreArguments } from './openai-tools.ts';

/**
 * The Responses API of OpenAI.
 * @see https://platform.openai.com/docs/guides/function-calling?api-mode=responses
 */
export const openAiResponses: Vendor = {
  // `strict` is always set, because without it the Responses API makes every optional property required.
  toTools(tools, options) {
    const { functions, ...rest } = openAiFunctions(tools, options);
    return { ...rest, tools: functions.map((each) => ({ type: 'function', ...each })) };
  },

  readCalls(message) {
    return outputItems(message)
      .filter((item) => isObject(item) && item['type'] === 'function_call')
      .map((item) => {
        const { call_id: id, name, arguments: text } = item as { [key: string]: unknown };
        if (typeof name !== 'string') throw new Error('A "function_call" has no "name"');
        return { id: typeof id === 'string' ? id : undefined, name, ...parseArguments(text) };
      });
  },

  restoreArguments,

  toResults(outcomes) {
    return outcomes.map(({ call, content, isError }) => ({
      type: 'function_call_output',
      call_id: call.id ?? '',
      output: [...(isError ? [{ type: 'input_text', text: 'Error:' }] : []), ...content.map(inputOf)],
    }));
  },
};

/** The output items of a message, which may be a whole response, its output list, or a single item. */
function outputItems(message: unknown): readonly unknown[] {
  if (Array.isArray(message)) return message;
  if (isObject(message)) {
    if (Array.isArray(message['output'])) return message['output'];
    if (typeof message['type'] === 'string') return [message];
  }
  throw new Error('Expected a response with the member "output", or its list of output items, or one item');
}

function inputOf(block: ResultBlock): object {
  const media = mediaOf(block);
  if (!media) return { type: 'input_text', text: textOf(block) };
  const url = `data:${media.mimeType};base64,${media.data}`;
  if (isImage(media)) return { type: 'input_image', detail: 'auto', image_url: url };
  if (media.mimeType === 'application/pdf')
    return { type: 'input_file', filename: 'result.pdf', file_data: url };
  return { type: 'input_text', text: mediaPlaceholder(media) };
}
