import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import { headerMismatch } from '../../revisions/codes.ts';
import type { Call, Caller } from '../calls/caller.ts';
import { ClientError } from '../errors/client-error.ts';
import type { Lists } from '../lists/lists.ts';
import type { CallOptions } from '../requests/call-options.ts';
import { checkResult } from '../results/check-result.ts';
import { InvalidResult } from '../results/invalid-result.ts';
import type { CallToolResult } from '../results/results.ts';
import { driveTask } from '../tasks/drive-task.ts';
import { taskDriver } from '../tasks/task-client.ts';
import { mirroredValues } from './mirrored-values.ts';

const method = 'tools/call';

/** Calls tools: adds their headers, polls their tasks and validates their results. */
export class ToolCalls {
  readonly #caller: Caller;
  readonly #lists: Lists;

  constructor(caller: Caller, lists: Lists) {
    this.#caller = caller;
    this.#lists = lists;
  }

  call(name: string, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    return this.#withHeaders({ name, arguments: args }, options, (call) =>
      this.#caller.complete(call, (result) =>
        result['resultType'] === 'task'
          ? this.#throughTask(name, result, options)
          : this.#checked(name, result),
      ),
    );
  }

  /** Calls a tool and returns the result as the server sent it. */
  forward(params: JsonObject, options: CallOptions): Promise<JsonObject> {
    return this.#withHeaders(params, options, (call) => this.#caller.sendCall(call));
  }

  #checked(name: string, result: JsonObject): CallToolResult | Promise<CallToolResult> {
    const checked = checkResult(method, result);
    // Many servers omit it where there is structured content.
    const complete = result['content'] === undefined ? { ...checked, content: [] } : checked;
    const wrong = this.#lists.catalog.wrongOutput(name, checked);
    if (wrong === undefined) return complete;
    return this.#caller.guardAsync(method, () => this.#checkedAgain(name, complete, wrong));
  }

  /** A server may have another schema since its tools were listed, for example after a restart. */
  async #checkedAgain(name: string, result: CallToolResult, wrong: string): Promise<CallToolResult> {
    const { catalog } = this.#lists;
    const before = catalog.outputSchema(name);
    await this.#lists.refreshTools().catch(() => undefined);
    const isSame = isDeepStrictEqual(catalog.outputSchema(name), before);
    const still = isSame ? wrong : catalog.wrongOutput(name, result);
    if (still !== undefined) throw new InvalidResult(method, still);
    return result;
  }

  #withHeaders<T>(params: JsonObject, options: CallOptions, send: (call: Call) => Promise<T>): Promise<T> {
    const sent = send(this.#callOf(params, options));
    if (!this.#caller.http) return sent;
    return sent.catch((error: unknown) => this.#withNewHeaders(params, options, send, error));
  }

  /**
   * The error for a missing header means that the tool has changed: lists the tools again and repeats the
   * call once.
   */
  async #withNewHeaders<T>(
    params: JsonObject,
    options: CallOptions,
    send: (call: Call) => Promise<T>,
    error: unknown,
  ): Promise<T> {
    if (!(error instanceof ClientError && error.code === headerMismatch)) throw error;
    await this.#lists.refreshTools();
    const call = this.#callOf(params, options);
    if (call.headers === undefined) throw error;
    return send(call);
  }

  #callOf(params: JsonObject, options: CallOptions): Call {
    const mirrored = this.#lists.catalog.mirrored(String(params['name']));
    const args = params['arguments'];
    return { method, params, options, headers: mirroredValues(mirrored, isObject(args) ? args : {}) };
  }

  #throughTask(name: string, { taskId }: JsonObject, options: CallOptions): Promise<CallToolResult> {
    return this.#caller.guardAsync(
      method,
      async () => {
        if (typeof taskId !== 'string') throw new InvalidResult(method, '"taskId" must be a string');
        options.task?.(taskId);
        return this.#checked(name, await driveTask(taskDriver(this.#caller, options), taskId, options));
      },
      options.signal,
    );
  }
}
