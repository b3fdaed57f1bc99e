import type { Client, ListedTool } from '@mcp/protocol/client';

/** A task of revision 2025-11-25 or of the tasks extension, with the members that both have. */
export interface TaskInfo {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly [key: string]: unknown;
}

/** The task that a call has become, or the result of a call that has not become a task. */
export type StartedCall = { readonly task: TaskInfo } | { readonly result: ToolResult };

export type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** The tasks of one server: those of 2025-11-25, or those of the extension of 2026-07-28. */
export interface ServerTasks {
  /** Whether calls of a tool may become tasks, according to the tool's definition. */
  allows(tool: ListedTool): boolean;
  /** Calls a tool, and returns as soon as the call is a task. */
  start(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: TaskCallOptions,
  ): Promise<StartedCall>;
  get(taskId: string, options: TaskCallOptions): Promise<TaskInfo>;
  /** Waits for the end of a task and returns its result. */
  result(taskId: string): Promise<ToolResult>;
  cancel(taskId: string, options: TaskCallOptions): Promise<void>;
  /** The tasks that the server lists; undefined where it has no list. */
  list(options: TaskCallOptions): Promise<readonly TaskInfo[] | undefined>;
}

export interface TaskCallOptions {
  readonly signal: AbortSignal;
}

export function isTerminal({ status }: TaskInfo): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status);
}

/** A task on one line: its id, its status and the server's message. */
export function taskText({ taskId, status, statusMessage }: TaskInfo): string {
  return [taskId, status, statusMessage].filter((each) => each !== undefined).join('  ');
}
