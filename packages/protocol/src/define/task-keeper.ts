/** What keeps the tasks that calls go on as; `keepTasks` of `@mcp/protocol/tasks` makes it. */
export interface TaskKeeper {
  /** The tasks of one server. The package itself calls this. */
  readonly keepFor: (runtime: never) => object;
}
