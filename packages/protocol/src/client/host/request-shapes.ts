import { isObject } from '@mcp/kit';
import type { ElicitForm, ElicitUrl, SamplingParams } from '../../define/input/input.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import { either, fields, listOf, number, object, oneOf, text } from '../results/shape.ts';
import { role, samplingContent } from '../results/shapes.ts';

export function isForm(params: JsonObject): params is JsonObject & ElicitForm {
  return typeof params['message'] === 'string' && isObject(params['requestedSchema']);
}

export function isUrlRequest(params: JsonObject): params is JsonObject & ElicitUrl {
  const { message, url } = params;
  if (typeof message !== 'string' || typeof url !== 'string' || !URL.canParse(url)) return false;
  return ['http:', 'https:'].includes(new URL(url).protocol);
}

const sampling = fields({
  messages: listOf(fields({ role, content: either(samplingContent, listOf(samplingContent)) })),
  maxTokens: number,
  'systemPrompt?': text,
  'temperature?': number,
  'stopSequences?': listOf(text),
  'modelPreferences?': object,
  'includeContext?': oneOf('none', 'thisServer', 'allServers'),
  'metadata?': object,
  'tools?': listOf(object),
  'toolChoice?': fields({ 'mode?': oneOf('auto', 'required', 'none') }),
});

export function isSamplingParams(params: JsonObject): params is JsonObject & SamplingParams {
  return wrongSamplingParams(params) === undefined;
}

export function wrongSamplingParams(params: JsonObject): string | undefined {
  return sampling(params, '');
}
