import { isObject, type JsonObject } from '../../jsonrpc/message.ts';
import { headerMismatch } from '../../revisions/codes.ts';
import type { Caller } from '../calls/caller.ts';
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

/** Calls tools: with their headers, through their tasks, to a result that is checked. */
export class ToolCalls {
  readonly #caller: Caller;
  readonly #lists: Lists;

  constructor(caller: Caller, lists: Lists) {
    this.#caller = caller;
    this.#lists = lists;
  }

  async call(name: string, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    const params = { name, arguments: args };
    const result = await this.#withHeaders(params, (headers) =>
      this.#caller.complete(method, params, options, headers),
    );
    const complete = result['resultType'] === 'task' ? await this.#throughTask(result, options) : result;
    return this.#caller.guard(method, () => {
      const checked = checkResult(method, complete);
      this.#lists.catalog.checkOutput(name, checked);
      // Beside structured content many servers leave it out.
      return complete['content'] === undefined ? { ...checked, content: [] } : checked;
    });
  }

  /** Calls a tool and returns the result as it came. */
  forward(params: JsonObject, options: CallOptions): Promise<JsonObject> {
    return this.#withHeaders(params, (headers) => this.#caller.send(method, params, options, headers));
  }

  /** A server that misses a header has a tool that the client does not know, or no more: it lists them and tries again. */
  async #withHeaders(
    params: JsonObject,
    send: (headers: { readonly [name: string]: string } | undefined) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const name = String(params['name']);
    const args = isObject(params['arguments']) ? params['arguments'] : {};
    const headers = () => mirroredValues(this.#lists.catalog.mirrored(name), args);
    try {
      return await send(headers());
    } catch (error) {
      const missing = error instanceof ClientError && error.code === headerMismatch && this.#caller.http;
      if (!missing) throw error;
      await this.#lists.refreshTools();
      if (this.#lists.catalog.mirrored(name).length === 0) throw error;
      return send(headers());
    }
  }

  #throughTask({ taskId }: JsonObject, options: CallOptions): Promise<JsonObject> {
    return this.#caller.guardAsync(
      method,
      async () => {
        if (typeof taskId !== 'string') throw new InvalidResult(method, '"taskId" must be a string');
        options.task?.(taskId);
        return driveTask(taskDriver(this.#caller), taskId, options);
      },
      options.signal,
    );
  }
}
