import { type Call, defineServer, defineTool, type Server } from '@mcp/protocol';
import { createTasks, type TaskOptions } from '@mcp/protocol/tasks';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { stateless, Wire } from './wire.ts';

/** The name by which clients and servers say that they know tasks. */
export const extension = 'io.modelcontextprotocol/tasks';

/** Capabilities of a client that knows tasks and can be asked. */
export const supportsTasks = { capabilities: { elicitation: {}, extensions: { [extension]: {} } } };

/** A tool called "job" that goes on as a task at once, and ends when it is told how. */
export function jobTool(task: 'optional' | 'required' = 'optional') {
  const { promise: started, resolve: start } = Promise.withResolvers<Call>();
  const { promise: outcome, resolve: end, reject: fail } = Promise.withResolvers<string>();
  const tool = defineTool({
    name: 'job',
    description: 'Takes long.',
    task,
    async run(_, _context, call) {
      await call.asTask('Working on it');
      start(call);
      return outcome;
    },
  });
  return { tool, started, end, fail };
}

type Definition = Omit<Parameters<typeof defineServer<object>>[0], 'name' | 'version' | 'context'>;

/** A server called "example" that keeps tasks. */
export function taskServer(tools: Definition['tools'] & {}, options: TaskOptions = {}): Server {
  return defineServer<object>({
    name: 'example',
    version: '1.0.0',
    tools,
    tasks: createTasks(options),
  });
}

/** A wire from a client that knows tasks. */
export function openWire(
  server: Server,
  speaker: { capabilities?: JsonObject } = supportsTasks,
): Promise<Wire> {
  return Wire.open(server, stateless, speaker);
}

/** Asks for a task until it has this status; any other end is a failure. */
export async function pollUntil(wire: Wire, taskId: unknown, status: string): Promise<JsonObject> {
  for (;;) {
    const task = await wire.result('tasks/get', { taskId });
    if (task['status'] === status) return task;
    if (task['status'] !== 'working' && task['status'] !== 'input_required') {
      throw new Error(`The task has become ${JSON.stringify(task)}`);
    }
  }
}
