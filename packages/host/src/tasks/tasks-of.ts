import { isObject } from '@mcp/kit';
import { extensionSettings } from '@mcp/protocol';
import { type Client, tasksExtension } from '@mcp/protocol/client';
import { callError } from '../errors.ts';
import { coreTasks } from './core-tasks.ts';
import { extensionTasks } from './extension-tasks.ts';
import type { ServerTasks } from './server-tasks.ts';

/** Whether a server has tasks. */
export function hasTasks({ capabilities }: Client): boolean {
  return extensionSettings(capabilities, tasksExtension) !== undefined || isObject(capabilities['tasks']);
}

/** The tasks of a connected server. Throws a `HostError` where the server has none. */
export function tasksOf(client: Client, server: string): ServerTasks {
  const { tasks } = client.capabilities;
  if (extensionSettings(client.capabilities, tasksExtension)) return extensionTasks(client);
  if (isObject(tasks)) return coreTasks(client, tasks['list'] !== undefined);
  throw callError(server, `The server "${server}" does not support tasks`, 'call its tools without --task');
}
