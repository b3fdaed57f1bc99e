import { isObject } from '@mcp/kit';
import type { InputRequest, InputRequired, InputResponse, Inputs } from '../../define/input/input.ts';
import { RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { missingClientCapability } from '../../revisions/codes.ts';
import {
  covers,
  encodeInputRequest,
  refuseUnknownQuestion,
  requiredCapability,
} from '../../revisions/encode-input.ts';
import type { ActiveCall } from '../call/active-call.ts';

const answerTimeoutMs = 30 * 60_000;

/**
 * Sends the questions of a handler to the client, and resolves with its answers: in revisions up to
 * 2025-11-25, and in a task.
 */
export async function askClientNow(call: ActiveCall, required: InputRequired): Promise<Inputs> {
  const questions = questionsIn(call, required);
  if (call.askInstead) return call.askInstead(questions);
  const { requests: client } = call.peer;
  if (!client) throw new Error('The server cannot send requests to the client over this connection');
  const send = (text: string) => call.outlet.notify(text);
  const answers = questions.map(async ([key, { method, params }]) => {
    const answer = await client.ask(method, params, {
      send,
      signal: call.signal,
      timeoutMs: answerTimeoutMs,
    });
    if (!isInputResponse(answer)) throw new Error(`The client sent an invalid result of ${method}`);
    return [key, answer] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

/** The questions of a handler by key, as the revision writes them. Throws if the client cannot answer one. */
export function questionsIn(call: ActiveCall, { requests }: InputRequired) {
  return Object.entries(requests).map(([key, request]) => [key, encodeQuestion(call, request)] as const);
}

function encodeQuestion(call: ActiveCall, request: InputRequest): { method: string; params?: JsonObject } {
  refuseUnknownQuestion(call.revision, request);
  const capability = requiredCapability(request);
  if (!covers(call.clientCapabilities, capability)) {
    const name = lackingIn(call.clientCapabilities, capability);
    if (!call.revision.stateless)
      throw new Error(`The client does not support "${name}", which the request requires`);
    throw new RpcError(missingClientCapability, `The request requires the client capability "${name}"`, {
      requiredCapabilities: capability,
    });
  }
  return encodeInputRequest(call.revision, request, call.clientCapabilities);
}

/** The name of the capability that the client lacks, or of the mode of one that it has: `elicitation.url`. */
function lackingIn(declared: JsonObject, required: JsonObject): string {
  const [[name, modes]] = Object.entries(required) as [[string, JsonObject]];
  return [name, ...(isObject(declared[name]) ? Object.keys(modes) : [])].join('.');
}

/** Whether a value has the form of the result of an elicitation, sampling or roots request. */
export function isInputResponse(value: unknown): value is InputResponse {
  if (!isObject(value)) return false;
  if ('action' in value) {
    const { action, content } = value;
    return (
      (action === 'accept' || action === 'decline' || action === 'cancel') &&
      (content === undefined || isObject(content))
    );
  }
  if ('roots' in value) {
    const { roots } = value;
    return Array.isArray(roots) && roots.every((root) => isObject(root) && typeof root['uri'] === 'string');
  }
  const { role, content, model } = value;
  return (
    (role === 'user' || role === 'assistant') &&
    typeof model === 'string' &&
    [content].flat().every((block) => isObject(block))
  );
}
