import type { Client } from '@mcp/protocol/client';
import { maxWaitMs } from './max-wait.ts';
import type { ServerTasks } from './server-tasks.ts';

/**
 * The tasks of the tasks extension: the server decides which calls become tasks, and cannot list its tasks.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export function extensionTasks(client: Client): ServerTasks {
  return {
    allows: () => true,
    async start(tool, args, options) {
      const started: { taskId?: string } = {};
      const task = (taskId: string) => {
        started.taskId = taskId;
        // Stops waiting once the call is a task: otherwise the client would wait for the end of the task.
        throw new TaskStarted();
      };
      try {
        return { result: await client.callTool(tool, { ...args }, { ...options, onTask: task }) };
      } catch (error) {
        if (started.taskId === undefined) throw error;
      }
      return { task: { ...(await client.tasks.get(started.taskId, options)) } };
    },
    get: async (taskId, options) => ({ ...(await client.tasks.get(taskId, options)) }),
    result: (taskId) => client.tasks.result(taskId, { maxTimeoutMs: maxWaitMs }),
    cancel: (taskId, options) => client.tasks.cancel(taskId, options),
    list: () => Promise.resolve(undefined),
  };
}

class TaskStarted extends Error {}
