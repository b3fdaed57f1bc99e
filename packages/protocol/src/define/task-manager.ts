/** Runs tool calls as tasks; made by `createTasks` of `@mcp/protocol/tasks`. */
export interface TaskManager {
  /** The tasks of one server. Called by this package. */
  readonly createFor: (runtime: never) => object;
}
