import { isObject } from '@mcp/kit';
import { InputRequired, type InputRequest, type InputResponse, type Inputs } from '../../define/input.ts';
import type { WrappedCall } from '../../define/wrap.ts';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import { missingClientCapability } from '../../revisions/codes.ts';
import {
  covers,
  encodeInputRequest,
  refuseUnknownQuestion,
  requiredCapability,
} from '../../revisions/encode-input.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { optionalObjectParam } from '../call/params.ts';
import type { StateOwner } from '../call/request-state.ts';
import type { Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { runWrapped } from '../wrapped.ts';

const maxRounds = 20;
const answerTimeoutMs = 30 * 60_000;

/** One request that runs a handler. */
export interface HandlerRequest {
  readonly runtime: Pick<Runtime, 'seal' | 'wraps'>;
  readonly call: ActiveCall;
  readonly params: JsonObject;
}

/** A method whose requests run handlers: `tools/call`, `resources/read` or `prompts/get`. */
export interface HandlerMethod<Request extends HandlerRequest, Value> {
  readonly name: WrappedCall['method'];
  /** What the handler is called for, as functions in `wrap` see it. */
  readonly subject: (request: Request) => Pick<WrappedCall, 'name' | 'args'>;
  readonly run: (request: Request) => unknown;
  /** The result for the value that the handler returned. */
  readonly encode: (value: Value, request: Request) => Result | Promise<Result>;
}

/**
 * Runs the handler of a request, which may ask for input, and encodes its value. Not async: most calls are
 * small and synchronous, and a promise would cost more than their work (`pnpm bench echo-calls`).
 */
export function runHandler<Request extends HandlerRequest, Value>(
  method: HandlerMethod<Request, Value>,
  request: Request,
): Result | Promise<Result> {
  const { call, params } = request;
  const isRetried = params['inputResponses'] !== undefined || params['requestState'] !== undefined;
  const value =
    isRetried && call.revision.stateless ? runWithInputs(method, request) : runMethod(method, request);
  return value instanceof Promise || value instanceof InputRequired
    ? settle(method, request, value)
    : method.encode(value as Value, request);
}

function runMethod<Request extends HandlerRequest, Value>(
  method: HandlerMethod<Request, Value>,
  request: Request,
): unknown {
  const { wraps } = request.runtime;
  if (!wraps) return method.run(request);
  const described = { method: method.name, ...method.subject(request) };
  return runWrapped(wraps, request.call, described, () => method.run(request));
}

/** Runs the handler with the answers and the state that a client sends back with a retried request. */
async function runWithInputs<Request extends HandlerRequest, Value>(
  method: HandlerMethod<Request, Value>,
  request: Request,
): Promise<unknown> {
  const { call, params, runtime } = request;
  const responses = optionalObjectParam(params, 'inputResponses');
  for (const [key, response] of Object.entries(responses)) {
    if (!isInputResponse(response)) {
      throw new RpcError(
        invalidParams,
        `Invalid "inputResponses.${key}"; expected the result of an elicitation, sampling or roots request`,
      );
    }
  }
  call.inputs = responses as Inputs;
  const { requestState } = params;
  if (requestState !== undefined) {
    if (typeof requestState !== 'string')
      throw new RpcError(invalidParams, '"requestState" must be a string');
    call.state = await runtime.seal.open(requestState, ownerOf(method.name, request));
  }
  return runMethod(method, request);
}

/**
 * Encodes the value of a handler. If the value is a set of questions, gets the answers. In 2026-07-28 the
 * questions are the result, and the client sends the request again with the answers. In older revisions, each
 * question is a request to the client, and the handler is called again with the answers.
 */
async function settle<Request extends HandlerRequest, Value>(
  method: HandlerMethod<Request, Value>,
  request: Request,
  given: unknown,
): Promise<Result> {
  const { call } = request;
  let value = await given;
  for (let round = 0; value instanceof InputRequired; round++) {
    if (call.revision.stateless && !call.askInstead) return inputRequiredResult(method.name, request, value);
    if (round === maxRounds)
      throw new RpcError(
        internalError,
        `The handler requested input ${maxRounds} times, the maximum for one request`,
      );
    call.inputs = await askNow(call, value);
    call.state = value.state;
    value = await runMethod(method, request);
  }
  return method.encode(value as Value, request);
}

async function inputRequiredResult(
  method: string,
  request: HandlerRequest,
  required: InputRequired,
): Promise<Result> {
  const { state } = required;
  const questions = questionsIn(request.call, required);
  const needsState = state !== undefined || questions.length === 0;
  return {
    type: 'input_required',
    members: {
      ...(questions.length > 0 && { inputRequests: Object.fromEntries(questions) }),
      ...(needsState && { requestState: await request.runtime.seal.seal(state, ownerOf(method, request)) }),
    },
  };
}

function ownerOf(method: string, { params, call }: HandlerRequest): StateOwner {
  return { method, params, principal: call.peer.principal };
}

async function askNow(call: ActiveCall, required: InputRequired): Promise<Inputs> {
  const questions = questionsIn(call, required);
  if (call.askInstead) return call.askInstead(questions);
  const { requests: client } = call.peer;
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

function questionsIn(call: ActiveCall, { requests }: InputRequired) {
  return Object.entries(requests).map(([key, request]) => [key, encodeQuestion(call, request)] as const);
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
