import { InputRequired, type Inputs } from '../../define/input/input.ts';
import { questionsOf, type WrappedCall } from '../../define/wrap.ts';
import { internalError, invalidParams, RpcError } from '../../jsonrpc/error.ts';
import { type JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { optionalObjectParam } from '../call/params.ts';
import { refuseState, type StateOwner } from '../call/request-state.ts';
import { type Kept, Rounds } from '../call/rounds.ts';
import type { Result } from '../call/result.ts';
import { lackingScopes } from '../access.ts';
import type { Runtime } from '../runtime.ts';
import { runWrapped } from '../wrapped.ts';
import { askClientNow, isInputResponse, questionsIn } from './client-questions.ts';

const maxRounds = 20;

/** What the client stores between two rounds: the `state` of `inputRequired`, and what `ask` needs. */
interface SealedState {
  readonly state?: unknown;
  readonly kept?: Kept | undefined;
  /** The scopes of the caller, which the handler may have used for the state. */
  readonly scopes?: readonly string[];
}

/** One request that runs a handler. */
export interface HandlerRequest {
  readonly runtime: Pick<Runtime, 'seal' | 'wraps'>;
  readonly call: ActiveCall;
  readonly params: JsonObject;
}

/** A method whose requests run handlers: `tools/call`, `resources/read` or `prompts/get`. */
export interface HandlerMethod<Request extends HandlerRequest, Value> {
  readonly name: WrappedCall['method'];
  /** The name and the arguments of the call that functions in `wrap` get. */
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
  call.mayAsk = true;
  const isRetried =
    call.revision.stateless &&
    (params['inputResponses'] !== undefined || params['requestState'] !== undefined);
  const value = isRetried ? runWithInputs(method, request) : runMethod(method, request);
  return value instanceof Promise || value instanceof InputRequired || call.rounds
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

/** The answers to questions of `inputRequired`, without those of `ask`. */
function withoutAsked({ rounds }: ActiveCall, inputs: Inputs): Inputs {
  if (!rounds) return inputs;
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !rounds.asked(key)));
}

/** The value of the handler. Throws an `RpcError` if the handler caught the error of `ask`. */
async function answered({ rounds }: ActiveCall, value: unknown): Promise<unknown> {
  if (!(await rounds?.take())) return value;
  throw new RpcError(
    internalError,
    'The handler ended although a question of `ask` has no answer yet: await `ask`, and let its error leave the handler',
  );
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
    const sealed = (await runtime.seal.open(requestState, ownerOf(method.name, request))) as SealedState;
    refuseFewerScopes(sealed, call);
    call.state = sealed.state;
    if (sealed.kept) call.rounds = await Rounds.from(sealed.kept, call.inputs);
    call.inputs = withoutAsked(call, call.inputs);
  }
  return runMethod(method, request);
}

function refuseFewerScopes({ scopes = [] }: SealedState, { caller }: ActiveCall): void {
  const [lacking] = lackingScopes({ definition: { requires: scopes } }, caller);
  if (lacking !== undefined) refuseState(`it was made for a token with the scope "${lacking}"`);
}

const tooManyRounds = `The handler requested input ${maxRounds} times, the maximum for one request`;
/** Added to an error: with another key or text in the next run, a question does not find its answer. */
const changedQuestions = '; the keys and the texts of its questions must be the same in each run';

/**
 * Encodes the value of a handler. If the value is a set of questions, gets the answers. In revision
 * 2026-07-28 the questions are the result, and the client sends the request again with the answers. In older
 * revisions, each question is a request to the client, and the handler is called again with the answers.
 */
async function settle<Request extends HandlerRequest, Value>(
  method: HandlerMethod<Request, Value>,
  request: Request,
  given: unknown,
): Promise<Result> {
  const { call } = request;
  let run = given;
  for (let round = 0; ; round++) {
    let value: unknown;
    try {
      value = await run;
    } catch (error) {
      value = await questionsOf(call, error);
    }
    if (call.rounds) value = await answered(call, value);
    if (!(value instanceof InputRequired)) return method.encode(value as Value, request);
    if ((call.rounds?.count ?? round) >= maxRounds)
      throw new RpcError(internalError, tooManyRounds + (call.rounds ? changedQuestions : ''));
    if (call.revision.stateless && !call.askInstead) return inputRequiredResult(method.name, request, value);
    call.inputs = await askClientNow(call, value);
    call.state = value.state;
    call.rounds?.next(call.inputs);
    call.inputs = withoutAsked(call, call.inputs);
    run = runMethod(method, request);
  }
}

async function inputRequiredResult(
  method: string,
  request: HandlerRequest,
  required: InputRequired,
): Promise<Result> {
  const { rounds, caller } = request.call;
  const sealed: SealedState = {
    state: required.state,
    kept: rounds?.kept,
    ...(caller?.scopes && { scopes: caller.scopes }),
  };
  const questions = questionsIn(request.call, required);
  const needsState = sealed.state !== undefined || sealed.kept !== undefined || questions.length === 0;
  return {
    type: 'input_required',
    members: {
      ...(questions.length > 0 && { inputRequests: Object.fromEntries(questions) }),
      ...(needsState && { requestState: await request.runtime.seal.seal(sealed, ownerOf(method, request)) }),
    },
  };
}

function ownerOf(method: string, { params, call }: HandlerRequest): StateOwner {
  return { method, params, principal: call.peer.principal };
}
