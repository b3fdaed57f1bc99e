import { defineResource, defineServer, defineTool, elicit } from '@mcp/protocol';
import { createTasks } from '@mcp/protocol/tasks';
import { connectRedis, type RedisStore } from '@mcp/redis';
import { z } from 'zod';
import { pause } from '../../packages/kit/src/index.ts';
import { HttpEndpoint } from '../../packages/protocol/src/http/endpoint.ts';
import { Process } from './process.ts';
import type { World } from './world.ts';

/** A process that gives no sign of life for this long may count as ended, in milliseconds. */
export const leaseMs = 2_000;
/** How long a session that is not used stays in the memory of a replica, in milliseconds. */
const idleMs = 2_000;
/** The interval at which a replica that cannot start is started again, in milliseconds. */
const startMs = 300;

/** The clients; each has a resource of its own. */
export const clientNames = ['ann', 'bob'] as const;

const count = defineTool({
  name: 'count',
  description: 'Counts.',
  inputSchema: z.object({ to: z.number(), everyMs: z.number() }),
  async run({ to, everyMs }, { progress, signal }) {
    for (let number = 1; number <= to; number++) {
      await pause(everyMs, { signal });
      if (signal.aborted) throw new Error('Cancelled');
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

const speak = defineTool({
  name: 'speak',
  description: 'Writes a log message of each level.',
  run: (_, { log }) => {
    for (const level of ['debug', 'info', 'warning', 'error'] as const) log(level, level);
    return 'Spoken';
  },
});

const work = defineTool({
  name: 'work',
  description: 'Works, as a task.',
  inputSchema: z.object({ ms: z.number() }),
  task: 'required',
  async run({ ms }, { asTask, signal }) {
    await asTask();
    await pause(ms, { signal });
    return 'Worked';
  },
});

/** The server of one process. */
function serverOver(shared: RedisStore) {
  const news = clientNames.map((name) =>
    defineResource({
      uri: `news:///${name}`,
      name,
      read: () => 'News',
      watch: (_, changed) => shared.bus.subscribe(`news ${name}`, changed, changed),
    }),
  );
  return defineServer({
    name: 'simulated',
    version: '1.0.0',
    logging: true,
    tools: [count, confirm, speak, work],
    resources: news,
    tasks: createTasks({ shared, leaseMs, pollIntervalMs: 100 }),
    stateKey: new Uint8Array(32).fill(7),
  });
}

/** A replica: the endpoint of the production code in one process after the other. */
export class Replica {
  readonly name: string;
  process: Process;
  endpoint: HttpEndpoint | undefined;
  readonly #world: World;
  #starts = 0;

  constructor(world: World, name: string) {
    this.#world = world;
    this.name = name;
    this.process = new Process(name);
    this.start();
  }

  start(): void {
    const world = this.#world;
    const process = new Process(`${this.name}.${++this.#starts}`);
    this.process = process;
    const serve = async () => {
      const shared = await connectRedis('redis://model', { timeoutMs: 1_000 });
      this.endpoint = new HttpEndpoint(serverOver(shared), {
        shared,
        limits: { leaseMs, graceMs: 500, sessionIdleMs: idleMs, retryMs: 100 },
        onWarning: (text) => world.tell(() => `${process.name} warns: ${text}`),
      });
      world.tell(() => `${process.name} serves`);
    };
    world.after(0, () => void serve().catch(() => this.startAgain(startMs)), process);
  }

  /** Kills the process, and starts another one after some milliseconds. */
  startAgain(ms: number): void {
    this.endpoint = undefined;
    this.#world.kill(this.process);
    this.#world.after(ms, () => this.start(), this.#world.outside);
  }

  /** Ends the process in order. */
  stop(): void {
    const { endpoint, process } = this;
    if (!endpoint) return;
    this.#world.after(0, () => void endpoint.close().then(() => this.#replace(process)), process);
  }

  #replace(process: Process): void {
    // Not in the process, because it is over.
    this.#world.after(0, () => this.process === process && this.startAgain(startMs), this.#world.outside);
  }
}
