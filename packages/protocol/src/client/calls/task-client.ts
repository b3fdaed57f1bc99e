import type { Stop } from '../../define/resource.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { Caller } from '../calls/caller.ts';
import type { CallOptions } from '../requests/call-options.ts';
import { checkResult } from '../results/check-result.ts';
import type { CallToolResult, TaskState } from '../results/results.ts';
import { driveTask, getTask, type TaskDriver } from './drive-task.ts';

/**
 * Reads, continues and cancels the tasks of a server by their ids.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export class TaskClient {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the state of a task. */
  get(taskId: string, options: CallOptions = {}): Promise<TaskState> {
    return this.#caller.guardAsync('tasks/get', () => getTask(this.#caller, taskId, options), options.signal);
  }

  /** Sends the inputs that a task requires, by the keys of its `inputRequests`. */
  async update(taskId: string, inputResponses: JsonObject, options: CallOptions = {}): Promise<void> {
    await this.#caller.send('tasks/update', { taskId, inputResponses }, options);
  }

  /** Requests the cancellation of a task. */
  async cancel(taskId: string, options: CallOptions = {}): Promise<void> {
    await this.#caller.send('tasks/cancel', { taskId }, options);
  }

  /** Calls `changed` after each change of a task, until stopped or until the connection ends. */
  async watch(taskId: string, changed: () => void, { identity }: CallOptions = {}): Promise<Stop> {
    const method = 'subscriptions/listen';
    const stream = await this.#caller.guardAsync(method, () =>
      this.#caller.subscriptions.listenToTask(taskId, changed, identity),
    );
    const watched = stream?.honoured['taskIds'];
    if (stream && Array.isArray(watched) && watched.includes(taskId)) return () => stream.stop();
    stream?.stop();
    throw new RpcError(invalidParams, `The server does not notify of changes of the task "${taskId}"`);
  }

  /** Polls a task to its end and returns its result, as `callTool` does with the task of its call. */
  result(taskId: string, options: CallOptions = {}): Promise<CallToolResult> {
    const drive = async () =>
      checkResult('tools/call', await driveTask(taskDriver(this.#caller, options), taskId, options));
    return this.#caller.guardAsync('tasks/get', drive, options.signal);
  }
}

export function taskDriver(caller: Caller, { signal }: CallOptions): TaskDriver {
  return {
    maxTimeoutMs: caller.maxTimeoutMs,
    send: (method, params, options) => caller.send(method, params, options),
    answer: (method, params) => caller.answer(method, params, signal),
    listen: (taskId, changed) => caller.subscriptions.listenToTask(taskId, changed),
  };
}
