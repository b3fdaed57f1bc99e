import type { Stop } from '../../define/resource.ts';
import type { Tool } from '../../define/tool.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from './active-call.ts';
import type { Result } from './result.ts';

/** What answers a call, given the call that its handler is to see. */
export type Work = (call: ActiveCall) => Result | Promise<Result>;

/** The tasks of one server. Only who keeps tasks loads the code for them: `@mcp/protocol/tasks`. */
export interface TaskService {
  /** Answers with what `work` gives, or with the task that it goes on as. */
  run(call: ActiveCall, tool: Tool<object>, work: Work): Promise<Result>;
  get(call: ActiveCall, params: JsonObject): Promise<Result>;
  update(call: ActiveCall, params: JsonObject): Promise<Result>;
  cancel(call: ActiveCall, params: JsonObject): Promise<Result>;
  /** Calls `changed` with these tasks as they are now and after every change; `told` are those that can be watched. */
  watch(
    call: ActiveCall,
    taskIds: unknown,
    changed: (task: JsonObject) => void,
  ): Promise<{ readonly told: readonly string[]; readonly stop: Stop }>;
}
