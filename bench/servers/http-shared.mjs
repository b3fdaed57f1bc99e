import { defineServer, defineTool, elicit } from '@mcp/protocol';
import { serveHttp } from '@mcp/protocol/http';
import { callerState } from '@mcp/protocol/state';
import { createTasks } from '@mcp/protocol/tasks';
import { connectRedis } from '@mcp/redis';
import * as z from 'zod';

// Usage: http-shared.mjs [address of Redis]; without one, everything stays in memory. Writes its address.

const [redis] = process.argv.slice(2);
const shared = redis === undefined ? undefined : await connectRedis(redis);
const define = (name, run, more = {}) => defineTool({ name, description: `The tool ${name}.`, run, ...more });
const tools = [
  define('echo', ({ text }) => text, { inputSchema: z.object({ text: z.string() }) }),
  define('report', (_, { progress }) => {
    for (let step = 1; step <= 10; step++) progress(step, 10);
    return 'Reported';
  }),
  define('ask', async (_, { ask }) => ((await ask('sure', elicit('Sure?', z.object({})))) ? 'Yes' : 'No')),
  define('work', async (_, { asTask }) => (await asTask(), 'Worked'), { task: 'optional' }),
];
if (shared)
  tools.push(
    define('count', async (_, call) => `${await callerState(shared.state, call).increment('calls')}`),
  );
const server = defineServer({
  name: 'echo',
  version: '1.0.0',
  stateKey: Buffer.alloc(32, 7),
  tasks: createTasks({ ...(shared && { shared }) }),
  tools,
});
const { url } = await serveHttp(server, { ...(shared && { shared }) });
console.log(String(url));
