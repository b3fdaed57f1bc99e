// Every step of a call exists twice: as a function that returns as soon as its value is known, and as a
// second one, whose name ends in `Async`, for handlers, schemas and questions that take time. Most calls are
// small and synchronous, and a promise or a closure for each of them costs more than its work: `pnpm bench
// echo-calls` measures it. So the first functions return `Result | Promise<Result>`, allocate one
// `Invocation` and nothing else, and call the second one only if they get a promise.

import { InputRequired } from '../../define/input.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { resolveInput, takeInputs } from '../call/input-required.ts';
import type { StateOwner } from '../call/request-state.ts';
import type { Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';

/** One request that runs a handler: `tools/call`, `resources/read` or `prompts/get`. */
export abstract class Invocation<Value> {
  abstract readonly method: string;
  readonly runtime: Runtime;
  readonly call: ActiveCall;
  readonly params: JsonObject;

  constructor(runtime: Runtime, call: ActiveCall, params: JsonObject) {
    this.runtime = runtime;
    this.call = call;
    this.params = params;
  }

  /** Runs the handler. */
  abstract run(): unknown;

  /** The result for the value that the handler returned. */
  abstract encode(value: Value): Result | Promise<Result>;

  /** Runs the handler, which may ask for input, and encodes the value that it returns. */
  answer(): Result | Promise<Result> {
    const { params } = this;
    const retried = params['inputResponses'] !== undefined || params['requestState'] !== undefined;
    const value = retried && this.call.revision.stateless ? this.runRetriedAsync() : this.run();
    return value instanceof Promise || value instanceof InputRequired
      ? this.answerAsync(value)
      : this.encode(value as Value);
  }

  private async runRetriedAsync(): Promise<unknown> {
    await takeInputs(this.call, this.owner, this.runtime.seal);
    return this.run();
  }

  private async answerAsync(value: unknown): Promise<Result> {
    const settled = await value;
    if (!(settled instanceof InputRequired)) return this.encode(settled as Value);
    const again = () => this.run();
    const resolved = await resolveInput(this.call, settled, this.owner, this.runtime.seal, again);
    return 'value' in resolved ? this.encode(resolved.value as Value) : resolved;
  }

  private get owner(): StateOwner {
    return { method: this.method, params: this.params, principal: this.call.caller.principal };
  }
}
