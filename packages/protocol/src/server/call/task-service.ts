import type { Stop } from '../../define/resource.ts';
import type { Tool } from '../../define/tool.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from './active-call.ts';
import type { Result } from './result.ts';

/** Runs a call, given the {@link Call} that its handler gets. */
export type Work = (call: ActiveCall) => Result | Promise<Result>;

/** The tasks of one server. Only servers with tasks load the implementation, `@mcp/protocol/tasks`. */
export interface TaskService {
  /** Answers with the result of `work`, or with the task that it continues as. */
  run(call: ActiveCall, tool: Tool<object>, work: Work): Promise<Result>;
  get(call: ActiveCall, params: JsonObject): Promise<Result>;
  update(call: ActiveCall, params: JsonObject): Promise<Result>;
  cancel(call: ActiveCall, params: JsonObject): Promise<Result>;
  /**
   * Calls `changed` with these tasks now and after every change; `watchable` are those that can be watched.
   */
  watch(
    call: ActiveCall,
    taskIds: unknown,
    changed: (task: JsonObject) => void,
  ): Promise<{ readonly watchable: readonly string[]; readonly stop: Stop }>;
}
