import { userMessage } from '../../define/content.ts';
import type { Prompt, PromptValue } from '../../define/prompt.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeMessage, encodePrompt } from '../../revisions/encode.ts';
import { issuesText } from '../../schema/schema.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { answer, type Handler } from './run-handler.ts';
import { pageOf } from './pagination.ts';
import { stringParam, stringsParam } from '../call/params.ts';
import { complete, type Result, sameForAll } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';

export function listPrompts(runtime: Runtime, { revision }: ActiveCall, { cursor }: JsonObject): Result {
  const { items, nextCursor } = pageOf(
    'prompts',
    runtime.prompts,
    ({ name }) => name,
    cursor,
    runtime.pageSize,
  );
  const prompts = items.map((prompt) => encodePrompt(revision, prompt));
  return complete({ prompts, ...(nextCursor !== undefined && { nextCursor }) }, sameForAll);
}

export async function getPrompt(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  const name = stringParam(params, 'name');
  const args = stringsParam(params, 'arguments');
  const prompt = runtime.prompt(name);
  if (!prompt) throw new RpcError(invalidParams, `Unknown prompt: "${name}"`);

  const checked = await prompt.input['~standard'].validate(args);
  if (checked.issues) {
    throw new RpcError(invalidParams, `Invalid arguments for ${name}: ${issuesText(checked.issues)}`);
  }
  return answer(runtime, call, 'prompts/get', params, handler, { prompt, args: checked.value });
}

const handler: Handler<{ readonly prompt: Prompt<object>; readonly args: unknown }, PromptValue> = {
  run: ({ prompt, args }, call) => prompt.run(args, call.context, call),
  encode: ({ prompt }, call, value) => encodeValue(call, prompt.definition.description, value),
};

function encodeValue({ revision }: ActiveCall, description: string, value: PromptValue): Result {
  const prompt =
    typeof value === 'string'
      ? { messages: [userMessage(value)] }
      : 'messages' in value
        ? value
        : { messages: value };
  return complete({
    description: ('description' in prompt && prompt.description) || description,
    messages: prompt.messages.map((message) => encodeMessage(revision, message)),
  });
}
