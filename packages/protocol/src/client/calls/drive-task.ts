import { pause } from '@mcp/kit';
import { RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { CallOptions } from '../call-options.ts';
import type { Requester } from '../requester.ts';
import { answerAll } from '../host/input-rounds.ts';
import { checkResult, InvalidResult } from '../results/check-result.ts';
import type { TaskState } from '../results/results.ts';
import type { Stream } from '../subscriptions/streams.ts';

/** The default, the minimum and the maximum of a task's `pollIntervalMs`. */
const defaultPollMs = 1_000;
const minPollMs = 20;
const maxPollMs = 60_000;
/** The default of `maxTimeoutMs`. */
const defaultMaxMs = 60 * 60_000;

/**
 * Polls a task to its end, sends the inputs that it requires, and returns its result. An abort cancels the
 * task.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export async function driveTask(
  requester: Requester,
  taskId: string,
  { signal, timeoutMs, maxTimeoutMs = requester.maxTimeoutMs ?? defaultMaxMs, onResponseText }: CallOptions,
): Promise<JsonObject> {
  const uncancelled = timeoutMs === undefined ? {} : { timeoutMs };
  const options = { ...uncancelled, ...(signal && { signal }) };
  const polling = { ...options, ...(onResponseText && { onResponseText }) };
  /** Aborted when the server reports a change of the task; this ends the pause before the next poll. */
  let changed = new AbortController();
  const giveUpAt = performance.now() + maxTimeoutMs;
  const answered = new Set<string>();
  const listening: { stream?: Stream | undefined; isOver: boolean } = { isOver: false };
  const opened = (stream: Stream | undefined) => {
    if (listening.isOver) stream?.stop();
    else listening.stream = stream;
  };
  try {
    for (let poll = 1; ; poll++) {
      const state = await getTask(requester, taskId, polling);
      const result = finished(state);
      if (result) return result;
      await provideInputs(requester, state, answered, options);
      if (performance.now() > giveUpAt)
        throw new Error(`The task ${taskId} has not ended within ${maxTimeoutMs} ms`);
      // The client subscribes to changes only after the first poll, because a short task has ended by then.
      // The loop does not wait for the subscription, because the server may never answer.
      if (poll === 1)
        requester.subscriptions.listenToTask(taskId, () => changed.abort()).then(opened, () => undefined);
      const { pollIntervalMs = defaultPollMs } = state;
      const leftMs = Math.ceil(giveUpAt - performance.now());
      const ms = Math.min(maxPollMs, leftMs, Math.max(minPollMs, pollIntervalMs));
      await pause(ms, { signal: AbortSignal.any(signal ? [signal, changed.signal] : [changed.signal]) });
      changed = new AbortController();
      signal?.throwIfAborted();
    }
  } catch (error) {
    if (signal?.aborted || performance.now() > giveUpAt)
      await requester.send('tasks/cancel', { taskId }, uncancelled).catch(() => undefined);
    throw error;
  } finally {
    listening.isOver = true;
    listening.stream?.stop();
  }
}

export async function getTask(
  requester: Requester,
  taskId: string,
  options: CallOptions,
): Promise<TaskState> {
  return checkResult('tasks/get', await requester.send('tasks/get', { taskId }, options));
}

function finished(state: TaskState): JsonObject | undefined {
  const { status, result, error, taskId, statusMessage } = state;
  if (status === 'completed') {
    if (result) return result;
    throw new InvalidResult('tasks/get', 'a completed task must have a "result"');
  }
  if (status === 'cancelled')
    throw new Error(`The task ${taskId} was cancelled${statusMessage ? `: ${statusMessage}` : ''}`);
  if (status !== 'failed') return undefined;
  if (!error) throw new InvalidResult('tasks/get', 'a failed task must have an "error"');
  throw new RpcError(error.code, error.message, error.data);
}

async function provideInputs(
  requester: Requester,
  { taskId, inputRequests }: TaskState,
  answered: Set<string>,
  { signal, ...options }: CallOptions,
): Promise<void> {
  const open = Object.entries(inputRequests ?? {}).filter(([key]) => !answered.has(key));
  if (open.length === 0) return;
  for (const [key] of open) answered.add(key);
  const inputResponses = await answerAll('tasks/get', Object.fromEntries(open), (method, params) =>
    requester.answer(method, params, signal),
  );
  await requester.send('tasks/update', { taskId, inputResponses }, options);
}
