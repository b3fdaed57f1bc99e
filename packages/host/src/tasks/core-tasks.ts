import { isObject } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { maxWaitMs } from './max-wait.ts';
import type { ServerTasks, TaskInfo, ToolResult } from './server-tasks.ts';

/** Maximum number of pages that are read from a server's list of tasks. */
const maxPages = 100;

/**
 * The tasks of revision 2025-11-25: the client decides which calls become tasks, if the tool allows this.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export function coreTasks(client: Client, hasList: boolean): ServerTasks {
  return {
    allows: (tool) => ['optional', 'required'].includes(taskSupportOf(tool)),
    async start(tool, args, options) {
      const started = await client.request('tools/call', { name: tool, arguments: args, task: {} }, options);
      const { task } = started;
      return isTask(task) ? { task } : { result: asToolResult(started) };
    },
    get: async (taskId, options) => asTask(await client.request('tasks/get', { taskId }, options)),
    result: async (taskId) =>
      asToolResult(
        await client.request('tasks/result', { taskId }, { timeoutMs: maxWaitMs, maxTimeoutMs: maxWaitMs }),
      ),
    cancel: async (taskId, options) => void (await client.request('tasks/cancel', { taskId }, options)),
    list: async (options) => (hasList ? listTasks(client, options) : undefined),
  };
}

/** The task support that a tool declares in revision 2025-11-25; `forbidden` by default. */
function taskSupportOf(tool: object): string {
  const { taskSupport } =
    (('execution' in tool ? tool.execution : undefined) as { taskSupport?: string }) ?? {};
  return taskSupport ?? 'forbidden';
}

async function listTasks(
  client: Client,
  options: { readonly signal: AbortSignal },
): Promise<readonly TaskInfo[]> {
  const all: TaskInfo[] = [];
  let cursor: unknown;
  for (let page = 0; page < maxPages; page++) {
    const { tasks, nextCursor } = await client.request(
      'tasks/list',
      cursor === undefined ? {} : { cursor },
      options,
    );
    if (!Array.isArray(tasks)) throw new Error('The result of tasks/list has no "tasks"');
    all.push(...tasks.map(asTask));
    if (typeof nextCursor !== 'string') break;
    cursor = nextCursor;
  }
  return all;
}

function isTask(value: unknown): value is TaskInfo {
  if (!isObject(value)) return false;
  const { taskId, status } = value;
  return typeof taskId === 'string' && typeof status === 'string';
}

function asTask(value: unknown): TaskInfo {
  if (isTask(value)) return value;
  throw new Error('The server sent no task: "taskId" and "status" must be strings');
}

function asToolResult(result: { readonly [key: string]: unknown }): ToolResult {
  const { content = [] } = result;
  if (!Array.isArray(content)) throw new Error('The result of the task must have a list "content"');
  return { ...result, content };
}
