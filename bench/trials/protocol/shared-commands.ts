import { Client, serverAt } from '@mcp/protocol/client';
import { start, stop } from '../../child.ts';
import { Redis } from '../../redis.ts';
import type { Trial } from '../../trial.ts';

const times = 200;

/** What a client does, once; the client has a session of 2025-11-25, or none at 2026-07-28. */
const operations: { readonly [name: string]: (client: Client) => Promise<unknown> } = {
  'a call that is answered at once': (client) => client.callTool('echo', { text: 'Hello' }),
  'a call with ten steps of progress': (client) =>
    client.callTool('report', {}, { onProgress: () => undefined }),
  'a call that asks a question': (client) => client.callTool('ask'),
  'an increment of the state of a caller': (client) => client.callTool('count'),
  'a task, from its call to its result': (client) => client.callTool('work'),
};

export const sharedCommands: Trial = {
  name: 'shared-commands',
  about: `commands that Redis runs, those of scripts included, for each of ${times} of these, one after the other`,
  implementations: Object.fromEntries(Object.keys(operations).map((name) => [name, { args: [name] }])),
  columns: ['2025-11-25', '2026-07-28'],
  runs: 1,
  async measure({ args: [name = ''] }) {
    const counts = [];
    for (const revision of sharedCommands.columns) {
      await using redis = await Redis.start();
      const server = start({ args: ['servers/http-shared.mjs', redis.url] });
      const url = await new Promise<string>((resolve) => {
        server.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
      });
      const client = await Client.connect(serverAt(url), {
        revision,
        elicit: () => Promise.resolve({ action: 'accept' as const, content: {} }),
      });
      await operations[name]!(client);
      const before = await redis.commands();
      for (let time = 0; time < times; time++) await operations[name]!(client);
      counts.push(((await redis.commands()) - before) / times);
      await client.close();
      await stop(server);
    }
    return counts;
  },
  goals: [
    { column: '2025-11-25', of: 'a call that is answered at once', atMost: 0.1 },
    { column: '2026-07-28', of: 'a call that is answered at once', atMost: 0.1 },
  ],
};
