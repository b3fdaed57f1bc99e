/** The state of a task; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** Runs tool calls as tasks; made by `createTasks` of `@mcp/protocol/tasks`. */
export interface TaskManager {
  /** Returns the object that creates and runs all tasks of one server. Only this package calls it. */
  readonly createFor: (runtime: never) => object;
}
