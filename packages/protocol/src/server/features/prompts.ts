import { isObject, messageOf } from '@mcp/kit';
import { type PromptMessage, userMessage } from '../../define/content.ts';
import type { Prompt, PromptValue } from '../../define/prompt.ts';
import { internalError, invalidParams, isUnexpected, RpcError } from '../../jsonrpc/error.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import { encodeContent, encodePrompt } from '../../revisions/encode.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { hasUnknown, validateRepaired } from './arguments.ts';
import { listPage } from './list-page.ts';
import { cacheOf, nameOf } from './pagination.ts';
import { runHandler } from './run-handler.ts';
import { stringParam, stringsParam } from '../call/params.ts';
import { complete, type Result } from '../call/result.ts';
import { refuseLackingScopes, usableBy } from '../access.ts';
import type { Runtime } from '../runtime.ts';

export function listPrompts(
  runtime: Runtime,
  call: ActiveCall,
  { cursor }: JsonObject,
): Result | Promise<Result> {
  const { prompts } = runtime;
  const load = () => usableBy(prompts, call.caller);
  const cache = cacheOf(prompts, call.caller);
  const list = {
    method: 'prompts/list',
    name: 'prompts',
    load,
    keyOf: nameOf,
    encode: encodePrompt,
    cache,
  } as const;
  return listPage(runtime, call, list, cursor);
}

export async function getPrompt(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  const name = stringParam(params, 'name');
  const args = stringsParam(params, 'arguments');
  const prompt = runtime.prompt(name);
  if (!prompt) throw new RpcError(invalidParams, `Unknown prompt: "${name}"`);
  refuseLackingScopes(prompt, call);

  const checked = await validate(prompt, args);
  const run = () => prompt.run(checked, call);
  const encode = (value: PromptValue) => encodeValue(call, prompt, value);
  const method = { name: 'prompts/get', subject: () => ({ name, args: checked }), run, encode } as const;
  try {
    return await runHandler(method, { runtime, call, params });
  } catch (error) {
    if (error instanceof RpcError || isUnexpected(error)) throw error;
    // A handler may throw to say that there is no prompt now ("Nothing is staged"): no internal error.
    throw new RpcError(invalidParams, messageOf(error), undefined, { cause: error });
  }
}

async function validate(prompt: Prompt<object>, args: JsonObject): Promise<unknown> {
  const checked = await prompt.input['~standard'].validate(args);
  if (!checked.issues && !hasUnknown(prompt, args)) return checked.value;
  const repaired = await validateRepaired(prompt, args);
  if ('problem' in repaired) throw new RpcError(invalidParams, repaired.problem);
  return repaired.value;
}

function encodeValue(
  { revision }: ActiveCall,
  { name, definition: { description } }: Prompt<object>,
  value: PromptValue,
): Result {
  const prompt = promptOf(value);
  if (!prompt) {
    throw new RpcError(
      internalError,
      `The prompt "${name}" must return a string, a list of messages such as [userMessage(text)], or { messages }`,
    );
  }
  return complete({
    description: prompt.description || description,
    messages: prompt.messages.map(({ role, content }) => ({
      role,
      content: encodeContent(revision, content),
    })),
  });
}

/** The messages of the handler's value; undefined for a wrong value, which plain JavaScript can return. */
function promptOf(
  value: unknown,
): { readonly description?: unknown; readonly messages: readonly PromptMessage[] } | undefined {
  if (typeof value === 'string') return { messages: [userMessage(value)] };
  const prompt = isObject(value) ? value : { messages: value };
  const { messages, description } = prompt as { messages: unknown; description?: unknown };
  return Array.isArray(messages) && messages.every((message) => isMessage(message))
    ? { messages, description }
    : undefined;
}

function isMessage(value: unknown): value is PromptMessage {
  return isObject(value) && isObject(value['content']);
}
