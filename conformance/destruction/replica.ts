import { setTimeout } from 'node:timers/promises';
import { defineResource, defineServer, defineTool, elicit } from '@mcp/protocol';
import { serveHttp } from '@mcp/protocol/http';
import { createTasks } from '@mcp/protocol/tasks';
import { connectRedis } from '@mcp/redis';
import { z } from 'zod';

// One of the replicas that are destroyed. Usage: replica.ts <port> <URL of Redis> <version>

const [port, redis = '', version = '1'] = process.argv.slice(2);
const leaseMs = 2_000;
const shared = await connectRedis(redis, { timeoutMs: 1_000 });

const count = defineTool({
  name: 'count',
  description: 'Counts, one number in 30 milliseconds.',
  inputSchema: z.object({ to: z.number() }),
  async run({ to }, { progress, signal }) {
    for (let number = 1; number <= to; number++) {
      await setTimeout(30, undefined, { signal });
      progress(number, to);
    }
    return `Counted to ${to}`;
  },
});

const confirm = defineTool({
  name: 'confirm',
  description: 'Asks the user for a word, and repeats it.',
  async run(_, { ask }) {
    const answer = await ask('word', elicit('Which word?', z.object({ word: z.string() })));
    return `The word is ${answer?.word}`;
  },
});

const work = defineTool({
  name: 'work',
  description: 'Works for a second, as a task.',
  task: 'required',
  async run(_, { asTask, signal }) {
    await asTask();
    await setTimeout(1_000, undefined, { signal });
    return 'Worked';
  },
});

const about = defineTool({ name: 'about', description: 'Tells the version.', run: () => version });

const news = defineResource({
  uri: 'news:///today',
  name: 'news',
  read: () => 'News',
  watch: (_, changed) => shared.bus.subscribe('news', changed, changed),
});

const server = defineServer({
  name: 'destroyed',
  version: '1.0.0',
  tools: [count, confirm, work, about],
  resources: [news],
  tasks: createTasks({ shared, leaseMs, pollIntervalMs: 100 }),
  stateKey: new Uint8Array(32).fill(7),
});
const listener = await serveHttp(server, {
  port: Number(port),
  shared,
  health: true,
  limits: { leaseMs, graceMs: 500, drainMs: 500, retryMs: 100, maxSessionsPerClient: 10_000 },
});
process.stdout.write(`${listener.url}\n`);
process.once('SIGTERM', () => void listener.close().then(() => process.exit()));
