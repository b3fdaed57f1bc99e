import type { ElicitForm, ElicitUrl, SamplingParams } from '../../define/input.ts';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';

export function isForm(params: JsonObject): params is JsonObject & ElicitForm {
  return typeof params['message'] === 'string' && isObject(params['requestedSchema']);
}

export function isUrlRequest(params: JsonObject): params is JsonObject & ElicitUrl {
  const { message, url } = params;
  if (typeof message !== 'string' || typeof url !== 'string' || !URL.canParse(url)) return false;
  return ['http:', 'https:'].includes(new URL(url).protocol);
}

export function isSamplingParams(params: JsonObject): params is JsonObject & SamplingParams {
  const { messages, maxTokens } = params;
  return (
    typeof maxTokens === 'number' &&
    Array.isArray(messages) &&
    messages.every((message) => isObject(message) && isRole(message['role']) && isContent(message['content']))
  );
}

function isRole(value: unknown): boolean {
  return value === 'user' || value === 'assistant';
}

function isContent(value: unknown): boolean {
  const isBlock = (block: unknown) => isObject(block) && typeof block['type'] === 'string';
  return Array.isArray(value) ? value.every(isBlock) : isBlock(value);
}
