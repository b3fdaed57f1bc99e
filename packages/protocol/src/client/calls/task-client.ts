import type { Stop } from '../../define/resource.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { Requester } from '../requester.ts';
import type { CallOptions } from '../call-options.ts';
import { checkResult } from '../results/check-result.ts';
import type { CallToolResult, TaskState } from '../results/results.ts';
import { driveTask, getTask } from './drive-task.ts';

/**
 * Reads, continues and cancels the tasks of a server by their ids.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export class TaskClient {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Returns the state of a task. */
  get(taskId: string, options: CallOptions = {}): Promise<TaskState> {
    return this.#requester.guard(
      'tasks/get',
      () => getTask(this.#requester, taskId, options),
      options.signal,
    );
  }

  /** Sends the inputs that a task requires, by the keys of its `inputRequests`. */
  async update(taskId: string, inputResponses: JsonObject, options: CallOptions = {}): Promise<void> {
    await this.#requester.send('tasks/update', { taskId, inputResponses }, options);
  }

  /** Requests the cancellation of a task. */
  async cancel(taskId: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.send('tasks/cancel', { taskId }, options);
  }

  /**
   * Calls `changed` after each change of a task, until the returned function is called or the connection
   * ends.
   */
  async watch(taskId: string, changed: () => void, { identity }: CallOptions = {}): Promise<Stop> {
    const method = 'subscriptions/listen';
    const stream = await this.#requester.guard(method, () =>
      this.#requester.subscriptions.listenToTask(taskId, changed, identity),
    );
    const watched = stream?.honoured['taskIds'];
    if (stream && Array.isArray(watched) && watched.includes(taskId)) return () => stream.stop();
    stream?.stop();
    throw new RpcError(invalidParams, `The server does not notify of changes of the task "${taskId}"`);
  }

  /** Polls a task to its end and returns its result, as `callTool` does when its call becomes a task. */
  result(taskId: string, options: CallOptions = {}): Promise<CallToolResult> {
    const drive = async () => checkResult('tools/call', await driveTask(this.#requester, taskId, options));
    return this.#requester.guard('tasks/get', drive, options.signal);
  }
}
