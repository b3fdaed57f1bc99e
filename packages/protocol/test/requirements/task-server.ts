import { type Call, defineServer, defineTool, type Server } from '@mcp/protocol';
import { createTasks, type TaskOptions } from '@mcp/protocol/tasks';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { stateless, Wire } from './wire.ts';

/** The name of the extension that clients and servers declare. */
export const extension = 'io.modelcontextprotocol/tasks';

/** Capabilities of a client that supports tasks and elicitation. */
export const supportsTasks = { capabilities: { elicitation: {}, extensions: { [extension]: {} } } };

/** A tool "job" that immediately continues as a task, and ends when `end` or `fail` is called. */
export function jobTool(task: 'optional' | 'required' = 'optional') {
  const { promise: started, resolve: start } = Promise.withResolvers<Call>();
  const { promise: outcome, resolve: end, reject: fail } = Promise.withResolvers<string>();
  const tool = defineTool({
    name: 'job',
    description: 'Takes long.',
    task,
    async run(_, call) {
      await call.asTask('Working on it');
      start(call);
      return outcome;
    },
  });
  return { tool, started, end, fail };
}

type Definition = Omit<Parameters<typeof defineServer<object>>[0], 'name' | 'version' | 'context'>;

/** A server "example" with tasks. */
export function taskServer(
  tools: Definition['tools'] & {},
  options: TaskOptions = {},
  wrap: Definition['wrap'] & {} = [],
): Server {
  return defineServer<object>({
    name: 'example',
    version: '1.0.0',
    tools,
    tasks: createTasks(options),
    wrap,
  });
}

/** A wire from a client that supports tasks. */
export function openWire(
  server: Server,
  speaker: { capabilities?: JsonObject } = supportsTasks,
): Promise<Wire> {
  return Wire.open(server, stateless, speaker);
}

/** Polls a task until it has this status. Throws if it ends with another. */
export async function pollUntil(wire: Wire, taskId: unknown, status: string): Promise<JsonObject> {
  for (;;) {
    const task = await wire.result('tasks/get', { taskId });
    if (task['status'] === status) return task;
    if (task['status'] !== 'working' && task['status'] !== 'input_required') {
      throw new Error(`The task has become ${JSON.stringify(task)}`);
    }
  }
}
