import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, serverAt } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { describeWithRedis, RedisServer } from './redis-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, program = ''] = /```ts\n(.*?)```/s.exec(readFileSync(`${root}README.md`, 'utf8')) ?? [];

describeWithRedis('the program of the README', () => {
  test('counts calls at two processes', async () => {
    await using redis = await RedisServer.start();
    const args = ['--conditions=@mcp/source', '--input-type=module-typescript', '--eval', program];
    const env = { ...process.env, REDIS_URL: redis.url };
    const start = () =>
      spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const children = [start(), start()];
    try {
      const counted: unknown[] = [];
      for (const { stdout } of children) {
        const { value: url } = await createInterface({ input: stdout })[Symbol.asyncIterator]().next();
        await using client = await Client.connect(serverAt(String(url)));
        counted.push(...(await client.callTool('count')).content);
      }
      expect(counted).toMatchObject([{ text: 'This is call 1' }, { text: 'This is call 2' }]);
    } finally {
      for (const child of children) child.kill();
    }
  });
});
