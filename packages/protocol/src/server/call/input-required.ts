import { isObject } from '@mcp/kit';
import { InputRequired, type InputRequest, type InputResponse, type Inputs } from '../../define/input.ts';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import { missingClientCapability } from '../../revisions/codes.ts';
import {
  covers,
  encodeInputRequest,
  refuseUnknownQuestion,
  requiredCapability,
} from '../../revisions/encode-input.ts';
import type { ActiveCall } from './active-call.ts';
import { optionalObjectParam } from './params.ts';
import type { RequestStateSeal, StateOwner } from './request-state.ts';
import type { Result } from './result.ts';

const maxRounds = 20;
const answerTimeoutMs = 30 * 60_000;

/** Takes the answers and the state that a client sends back with a retried request. */
export async function takeInputs(call: ActiveCall, owner: StateOwner, seal: RequestStateSeal): Promise<void> {
  const { params } = owner;
  const responses = optionalObjectParam(params, 'inputResponses');
  for (const [key, response] of Object.entries(responses)) {
    if (!isInputResponse(response)) {
      throw new RpcError(
        invalidParams,
        `"inputResponses.${key}" is no answer to an elicitation, a sampling or a roots request`,
      );
    }
  }
  call.inputs = responses as Inputs;
  const { requestState } = params;
  if (requestState === undefined) return;
  if (typeof requestState !== 'string') throw new RpcError(invalidParams, '"requestState" must be a string');
  call.state = await seal.open(requestState, owner);
}

/**
 * Gets the answers to a handler's questions. In 2026-07-28 the questions are the result, and the client sends
 * the request again with the answers; before, each question is a request to the client, and the handler is
 * called again with the answers.
 */
export async function resolveInput(
  call: ActiveCall,
  required: InputRequired,
  owner: StateOwner,
  seal: RequestStateSeal,
  again: () => unknown,
): Promise<Result | { readonly value: unknown }> {
  if (call.revision.stateless && !call.askInstead) return inputRequiredResult(call, required, owner, seal);
  let value: unknown = required;
  for (let round = 0; value instanceof InputRequired; round++) {
    if (round === maxRounds)
      throw new RpcError(
        internalError,
        `The handler requested input ${maxRounds} times, the maximum for one request`,
      );
    call.inputs = await askNow(call, value.requests);
    call.state = value.state;
    value = await again();
  }
  return { value };
}

async function inputRequiredResult(
  call: ActiveCall,
  { requests, state }: InputRequired,
  owner: StateOwner,
  seal: RequestStateSeal,
): Promise<Result> {
  const questions = Object.entries(requests).map(
    ([key, request]) => [key, encodeQuestion(call, request)] as const,
  );
  return {
    type: 'input_required',
    members: {
      ...(questions.length > 0 && { inputRequests: Object.fromEntries(questions) }),
      ...((state !== undefined || questions.length === 0) && { requestState: await seal.seal(state, owner) }),
    },
  };
}

async function askNow(call: ActiveCall, requests: InputRequired['requests']): Promise<Inputs> {
  const questions = Object.entries(requests).map(
    ([key, request]) => [key, encodeQuestion(call, request)] as const,
  );
  if (call.askInstead) return call.askInstead(questions);
  const { requests: client } = call.caller;
  if (!client) throw new Error('This connection cannot carry requests to the client');
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

function encodeQuestion(call: ActiveCall, request: InputRequest): { method: string; params?: JsonObject } {
  refuseUnknownQuestion(call.revision, request);
  const capability = requiredCapability(request);
  if (!covers(call.clientCapabilities, capability)) {
    const [name] = Object.keys(capability);
    if (!call.revision.stateless)
      throw new Error(`The client does not support "${name}", which the request requires`);
    throw new RpcError(missingClientCapability, `The request requires the client capability "${name}"`, {
      requiredCapabilities: capability,
    });
  }
  return encodeInputRequest(call.revision, request, call.clientCapabilities);
}

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
