import type { JsonObject } from '../../jsonrpc/message.ts';
import type { Caller } from '../calls/caller.ts';
import type { CallOptions } from '../requests/call-options.ts';
import { checkResult } from '../results/check-result.ts';
import type { CallToolResult, TaskState } from '../results/results.ts';
import { driveTask, getTask, type TaskDriver } from './drive-task.ts';

/**
 * The tasks of a server, by their ids.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export class TaskClient {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The present state of a task. */
  get(taskId: string, options: CallOptions = {}): Promise<TaskState> {
    return this.#caller.guardAsync('tasks/get', () => getTask(this.#caller, taskId, options), options.signal);
  }

  /** Provides inputs that a task requires, by the keys of its `inputRequests`. */
  async update(taskId: string, inputResponses: JsonObject, options: CallOptions = {}): Promise<void> {
    await this.#caller.send('tasks/update', { taskId, inputResponses }, options);
  }

  /** Requests the end of a task. */
  async cancel(taskId: string, options: CallOptions = {}): Promise<void> {
    await this.#caller.send('tasks/cancel', { taskId }, options);
  }

  /** Drives a task to its end, as `callTool` does with the task of its call. */
  result(taskId: string, options: CallOptions = {}): Promise<CallToolResult> {
    const drive = async () =>
      checkResult('tools/call', await driveTask(taskDriver(this.#caller), taskId, options));
    return this.#caller.guardAsync('tasks/get', drive, options.signal);
  }
}

export function taskDriver(caller: Caller): TaskDriver {
  return {
    send: (method, params, options) => caller.send(method, params, options),
    answer: caller.answer,
    listen: (taskId, changed) => caller.subscriptions.listenToTask(taskId, changed),
  };
}
