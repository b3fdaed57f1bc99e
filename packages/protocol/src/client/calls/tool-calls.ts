import { isObject } from '@mcp/kit';
import { type JsonObject } from '../../jsonrpc/message.ts';
import { headerMismatch } from '../../revisions/codes.ts';
import type { ClientRequest, Requester } from '../requester.ts';
import { ClientError } from '../client-error.ts';
import type { Lists } from '../lists/lists.ts';
import type { CallOptions } from '../call-options.ts';
import { checkResult, InvalidResult } from '../results/check-result.ts';
import type { CallToolResult } from '../results/results.ts';
import { driveTask } from './drive-task.ts';
import { mirroredValues } from './mirrored-values.ts';

const method = 'tools/call';

/** Calls tools: sends some arguments also as headers, polls tasks to their end, and validates results. */
export class ToolCalls {
  readonly #requester: Requester;
  readonly #lists: Lists;

  constructor(requester: Requester, lists: Lists) {
    this.#requester = requester;
    this.#lists = lists;
  }

  call(name: string, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    return this.#withHeaders({ name, arguments: args }, options, (call) =>
      this.#requester.complete(call, (result) =>
        result['resultType'] === 'task'
          ? this.#throughTask(name, result, options)
          : this.#checked(name, result),
      ),
    );
  }

  /** Calls a tool and returns the result as the server sent it. */
  forward(params: JsonObject, options: CallOptions): Promise<JsonObject> {
    return this.#withHeaders(params, options, (call) => this.#requester.sendCall(call));
  }

  #checked(name: string, result: JsonObject): CallToolResult | Promise<CallToolResult> {
    const checked = checkResult(method, result);
    // The specification requires `content`, but many servers omit it when the result has structured content.
    const complete = result['content'] === undefined ? { ...checked, content: [] } : checked;
    const wrong = this.#lists.catalog.wrongOutput(name, checked);
    if (wrong === undefined) return complete;
    return this.#requester.guard(method, () => this.#checkedAgain(name, complete));
  }

  /** Lists the tools again and validates the result again: the server may have changed the `outputSchema`. */
  async #checkedAgain(name: string, result: CallToolResult): Promise<CallToolResult> {
    const { catalog } = this.#lists;
    await this.#lists.refreshTools().catch(() => undefined);
    const wrong = catalog.wrongOutput(name, result);
    if (wrong !== undefined) throw new InvalidResult(method, wrong);
    return result;
  }

  #withHeaders<T>(
    params: JsonObject,
    options: CallOptions,
    send: (call: ClientRequest) => Promise<T>,
  ): Promise<T> {
    const sent = send(this.#callOf(params, options));
    if (!this.#requester.http) return sent;
    return sent.catch((error: unknown) => this.#withNewHeaders(params, options, send, error));
  }

  /**
   * If the server refused a call because of its headers, lists the tools again and sends the call again, with
   * the headers that the new list requires.
   */
  async #withNewHeaders<T>(
    params: JsonObject,
    options: CallOptions,
    send: (call: ClientRequest) => Promise<T>,
    error: unknown,
  ): Promise<T> {
    if (!(error instanceof ClientError && error.code === headerMismatch)) throw error;
    await this.#lists.refreshTools();
    const call = this.#callOf(params, options);
    if (call.headers === undefined) throw error;
    return send(call);
  }

  #callOf(params: JsonObject, options: CallOptions): ClientRequest {
    const mirrored = this.#lists.catalog.mirrored(String(params['name']));
    const args = params['arguments'];
    return { method, params, options, headers: mirroredValues(mirrored, isObject(args) ? args : {}) };
  }

  #throughTask(name: string, { taskId }: JsonObject, options: CallOptions): Promise<CallToolResult> {
    return this.#requester.guard(
      method,
      async () => {
        if (typeof taskId !== 'string') throw new InvalidResult(method, '"taskId" must be a string');
        options.onTask?.(taskId);
        return this.#checked(name, await driveTask(this.#requester, taskId, options));
      },
      options.signal,
    );
  }
}
