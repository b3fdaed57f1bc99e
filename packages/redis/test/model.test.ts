import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@redis/client';
import { expect, test } from 'vitest';
import { describeWithRedis, RedisServer } from './redis-server.ts';

const simulation = join(import.meta.dirname, '../../../conformance/simulation/main.ts');
/** What expires while the simulation runs, and what has subscribers in it. */
const ofItsTime = /^PUBLISH|:lease:|:fence/;

type Replied = readonly [command: readonly string[], reply: unknown];

describeWithRedis('the model of Redis in the simulation', () => {
  test('replies to the commands of the replicas like Redis', async () => {
    await using server = await RedisServer.start();
    const client = createClient({ url: server.url, RESP: 2 });
    await client.connect();
    try {
      let compared = 0;
      for (const seed of [1, 3, 10]) {
        await client.sendCommand(['FLUSHALL']);
        const args = ['--conditions=@mcp/source', simulation, '--seed', String(seed), '--commands'];
        const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
        for (const [command, reply] of JSON.parse(stdout) as readonly Replied[]) {
          if (ofItsTime.test(command.slice(0, 4).join(' '))) continue;
          expect(await client.sendCommand([...command]), command.join(' ')).toEqual(reply);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(100);
    } finally {
      client.destroy();
    }
  });
});
