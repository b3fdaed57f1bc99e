import { InputRequired } from '../../define/input.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { resolveInput, takeInputs } from '../call/input-required.ts';
import type { StateOwner } from '../call/request-state.ts';
import type { Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';

/** What is run for a request, and how its value becomes a result. `Subject` is what both are about. */
export interface Handler<Subject, Value> {
  run(subject: Subject, call: ActiveCall): unknown;
  encode(subject: Subject, call: ActiveCall, value: Value): Result | Promise<Result>;
}

/**
 * Runs a handler that may ask for input, and encodes what it returns. Stays synchronous where the
 * handler is, and makes no closures there: most calls are small, and every object made for one is felt.
 */
export function answer<Subject, Value>(
  runtime: Runtime,
  call: ActiveCall,
  method: string,
  params: JsonObject,
  handler: Handler<Subject, Value>,
  subject: Subject,
): Result | Promise<Result> {
  const retried = params['inputResponses'] !== undefined || params['requestState'] !== undefined;
  const value =
    retried && call.revision.stateless
      ? runRetried(runtime, call, method, params, handler, subject)
      : handler.run(subject, call);

  return value instanceof Promise || value instanceof InputRequired
    ? answerLater(runtime, call, method, params, handler, subject, value)
    : handler.encode(subject, call, value as Value);
}

async function runRetried<Subject, Value>(
  { seal }: Runtime,
  call: ActiveCall,
  method: string,
  params: JsonObject,
  handler: Handler<Subject, Value>,
  subject: Subject,
): Promise<unknown> {
  await takeInputs(call, ownerOf(call, method, params), seal);
  return handler.run(subject, call);
}

async function answerLater<Subject, Value>(
  { seal }: Runtime,
  call: ActiveCall,
  method: string,
  params: JsonObject,
  handler: Handler<Subject, Value>,
  subject: Subject,
  value: unknown,
): Promise<Result> {
  const settled = await value;
  if (!(settled instanceof InputRequired)) return handler.encode(subject, call, settled as Value);
  const again = () => handler.run(subject, call);
  const resolved = await resolveInput(call, settled, ownerOf(call, method, params), seal, again);
  return 'value' in resolved ? handler.encode(subject, call, resolved.value as Value) : resolved;
}

function ownerOf({ caller }: ActiveCall, method: string, params: JsonObject): StateOwner {
  return { method, params, principal: caller.principal };
}
