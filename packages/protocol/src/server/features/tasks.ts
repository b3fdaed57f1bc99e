import type { Tool } from '../../define/tool.ts';
import { internalError, RpcError } from '../../jsonrpc/error.ts';
import { isObject } from '../../jsonrpc/message.ts';
import { missingClientCapability } from '../../revisions/codes.ts';
import { tasksExtension } from '../../revisions/extension-ids.ts';
import type { ActiveCall, Caller } from '../call/active-call.ts';
import type { Result } from '../call/result.ts';
import type { Work } from '../call/task-service.ts';
import type { Runtime } from '../runtime.ts';

/** Refuses a request that does not declare the tasks extension. */
export function requireTasks({ caller }: ActiveCall): void {
  if (knowsTasks(caller)) return;
  throw new RpcError(
    missingClientCapability,
    `The request requires the client capability "${tasksExtension}"`,
    {
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    },
  );
}

/** Runs a tool that may continue as a task; as a task where client and server support them. */
export function runMaybeAsTask(
  { tasks }: Runtime,
  call: ActiveCall,
  tool: Tool<object>,
  work: Work,
): Result | Promise<Result> {
  if (tasks && knowsTasks(call.caller)) return tasks.run(call, tool, work);
  if (tool.definition.task === 'required') {
    throw new RpcError(
      internalError,
      `The tool "${tool.name}" requires tasks; the server is not configured with tasks(…)`,
    );
  }
  call.asTask = staySynchronous;
  return work(call);
}

// Before 2026-07-28 the `tasks` of a client's capabilities is another feature.
function knowsTasks({ revision, capabilities }: Caller): boolean {
  const { extensions } = capabilities;
  return revision.requests.has('tasks/get') && isObject(extensions) && isObject(extensions[tasksExtension]);
}

const staySynchronous = () => Promise.resolve();
