import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '@mcp/protocol/client';
import { isTerminal, type ServerTasks, type TaskCallOptions, type ToolResult } from './server-tasks.ts';

/** The shortest and the longest pause between two attempts to reach a server, in milliseconds. */
const minRetryMs = 250;
const maxRetryMs = 5_000;

/** Maximum number of failed requests for a result while the server says that the task is still working. */
const maxFailures = 10;

export interface AwaitEndOptions extends TaskCallOptions {
  /** Called when the server cannot be reached; then not again until it was reached and lost once more. */
  readonly lost: (error: Error) => void;
}

/** Waits for the end of a task and returns its result, also across restarts of its server. */
export async function awaitEnd(
  tasks: ServerTasks,
  taskId: string,
  options: AwaitEndOptions,
): Promise<ToolResult> {
  for (let failures = 1; ; failures++) {
    try {
      return await tasks.result(taskId);
    } catch (error) {
      options.signal.throwIfAborted();
      const state = await stateOf(tasks, taskId, options);
      if (state === 'ended' || failures === maxFailures) throw error;
      if (state === 'returned') failures = 0;
    }
  }
}

/**
 * Requests the state of a task after a request for its result has failed. Repeats this until the server can
 * be reached.
 */
async function stateOf(
  tasks: ServerTasks,
  taskId: string,
  { signal, lost }: AwaitEndOptions,
): Promise<'ended' | 'works' | 'returned'> {
  for (let retryMs = 0; ; retryMs = Math.min(maxRetryMs, retryMs * 2)) {
    try {
      const state = await tasks.get(taskId, { signal });
      if (retryMs > 0) return 'returned';
      return isTerminal(state) ? 'ended' : 'works';
    } catch (error) {
      signal.throwIfAborted();
      if (!isUnreachable(error)) throw error;
      if (retryMs === 0) lost(error);
      retryMs ||= minRetryMs;
      await sleep(retryMs, undefined, { signal });
    }
  }
}

/** Whether a request got no response, because the server could not be reached. */
function isUnreachable(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === undefined && error.phase !== 'authorization';
}
