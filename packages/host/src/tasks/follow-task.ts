import { abortable, pause } from '@mcp/kit';
import { awaitEnd, type AwaitEndOptions } from './await-end.ts';
import { isTerminal, type ServerTasks, type TaskInfo, taskText, type ToolResult } from './server-tasks.ts';

/** Milliseconds between two requests for the state of a followed task. */
const pollMs = 500;

export interface FollowOptions extends AwaitEndOptions {
  /** Called with the first state and with each that differs from the one before it. */
  readonly onState: (state: TaskInfo) => void;
}

/** Follows a task to its end, and returns its result. An abort ends the wait, not the task. */
export async function followTask(
  tasks: ServerTasks,
  taskId: string,
  { onState, ...options }: FollowOptions,
): Promise<ToolResult> {
  const { signal } = options;
  const result = awaitEnd(tasks, taskId, options);
  let isOver = false;
  const ended = result.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (let last = ''; !signal.aborted;) {
    const wasOver = isOver;
    const state = await tasks.get(taskId, { signal }).catch(() => undefined);
    if (state && taskText(state) !== last) {
      last = taskText(state);
      onState(state);
    }
    if (wasOver || (state && isTerminal(state))) break;
    await Promise.race([ended, pause(pollMs)]);
  }
  return abortable(result, signal);
}
