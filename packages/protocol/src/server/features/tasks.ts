import type { Tool } from '../../define/tool.ts';
import { extensionSettings } from '../../define/extension.ts';
import { tasksExtension } from '../../revisions/tasks-extension.ts';
import { internalError, RpcError } from '../../jsonrpc/error.ts';
import type { ActiveCall, Peer } from '../call/active-call.ts';
import { requireExtension } from '../call/require-extension.ts';
import type { Result } from '../call/result.ts';
import type { Work } from '../call/task-service.ts';
import type { Runtime } from '../runtime.ts';

/** Throws an `RpcError` for a client that does not declare the tasks extension. `subject` needs it. */
export function requireTasks({ peer }: ActiveCall, subject: string): void {
  if (!knowsTasks(peer)) requireExtension({}, tasksExtension, subject);
}

/** Runs a tool with `task`: as a task if client and server support tasks, otherwise as an ordinary call. */
export function runMaybeAsTask(
  { tasks }: Runtime,
  call: ActiveCall,
  tool: Tool<object>,
  work: Work,
): Result | Promise<Result> {
  if (tasks && knowsTasks(call.peer)) return tasks.run(call, tool, work);
  if (tool.definition.task === 'required') {
    throw new RpcError(
      internalError,
      `The tool "${tool.name}" requires tasks: give the server \`tasks: createTasks()\``,
    );
  }
  call.asTask = staySynchronous;
  return work(call);
}

// Only the extension counts, because the capability `tasks` of older revisions is another feature.
function knowsTasks({ revision, capabilities }: Peer): boolean {
  return (
    tasksExtension.revisions!.includes(revision.version) &&
    extensionSettings(capabilities, tasksExtension) !== undefined
  );
}

const staySynchronous = () => Promise.resolve();
