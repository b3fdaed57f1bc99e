import type { Stop } from '../../define/resource.ts';
import type { Tool } from '../../define/tool.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from './active-call.ts';
import type { Result } from './result.ts';

/** Runs the handler of a call. Takes the {@link Call} to pass to the handler. */
export type Work = (call: ActiveCall) => Result | Promise<Result>;

/** The tasks of one server. Only servers with tasks load the implementation, `@mcp/protocol/tasks`. */
export interface TaskService {
  /** Runs `work`. Returns the result of `work` or, if the call continues as a task, the task. */
  run(call: ActiveCall, tool: Tool<object>, work: Work): Promise<Result>;
  /** The scopes of the tool of a task; empty if this principal has no task with this id. */
  requiredScopes(taskId: string, principal: string | undefined): Promise<readonly string[]>;
  /** Answers a method of the tasks extension. */
  answer(method: string, call: ActiveCall, params: JsonObject): Promise<Result>;
  /**
   * Calls `changed` with the state of each of these tasks now, and after every change of the task.
   * `watchable` lists the ids of the tasks that can be watched.
   */
  watch(
    call: ActiveCall,
    taskIds: unknown,
    changed: (task: JsonObject) => void,
  ): Promise<{ readonly watchable: readonly string[]; readonly stop: Stop }>;
}
