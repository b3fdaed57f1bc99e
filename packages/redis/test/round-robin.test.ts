import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, type ClientOptions, serverAt } from '@mcp/protocol/client';
import { afterAll, expect, test } from 'vitest';
import { Replicas } from '../../protocol/test/sessions/replicas.ts';
import { describeWithRedis, redisForFile } from './redis-server.ts';
import { replicaProgram } from './replicas.ts';

const versions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

describeWithRedis('a client behind a load balancer without stickiness', () => {
  const redis = redisForFile();
  const directory = mkdtempSync(join(tmpdir(), 'mcp-round-robin-'));
  const note = join(directory, 'note.txt');
  writeFileSync(note, 'first');
  afterAll(() => rmSync(directory, { recursive: true }));

  const start = async () => {
    const options = { redis: (await redis()).url, note, leaseMs: 300 };
    return { options, replicas: await Replicas.start(3, 'in turn', options, replicaProgram()) };
  };
  const connect = (url: string, revision: string, more: ClientOptions = {}) =>
    Client.connect(serverAt(url), { revision, backoff: { minMs: 10, maxMs: 50 }, ...more });

  test('asks, reports, and notifies, at each revision', async () => {
    const { replicas } = await start();
    await using _ = replicas;
    await Promise.all(versions.map((version) => worksAt(replicas, version)));
  });

  async function worksAt({ url }: Replicas, version: string): Promise<void> {
    const elicit = () => Promise.resolve({ action: 'accept' as const, content: {} });
    await using client = await connect(url, version, { elicit });
    for (let call = 0; call < 4; call++) {
      // 2025-03-26 has no elicitation.
      if (version !== '2025-03-26')
        expect(await client.callTool('confirm')).toMatchObject({ content: [{ text: 'Sure' }] });
      const seen: number[] = [];
      const onProgress = (done: number) => void seen.push(done);
      const counted = await client.callTool('count_up', { to: 5 }, { onProgress });
      expect(counted).toMatchObject({ content: [{ text: 'Done' }] });
      expect(seen).toEqual([1, 2, 3, 4, 5]);
    }
    let updates = 0;
    await client.subscribe(pathToFileURL(note).href, () => void updates++);
    writeFileSync(note, version);
    await expect.poll(() => updates).toBeGreaterThan(0);
  }

  test('goes on while replicas are killed, at each revision', async () => {
    const { options, replicas } = await start();
    await using _ = replicas;
    const clients = await Promise.all(versions.map((version) => connect(replicas.url, version)));
    const updates = clients.map(() => 0);
    const uri = pathToFileURL(note).href;
    await Promise.all(clients.map((client, index) => client.subscribe(uri, () => void updates[index]!++)));
    for (const index of replicas.pids.keys()) {
      const calls = clients.map((client) =>
        client.callTool('count_up', { to: 30 }).then(
          ({ content }) => content,
          (error: Error) => error.message,
        ),
      );
      await replicas.replace(index, options);
      // Each call ends, with its answer or with an error, and can be sent again.
      await Promise.all(calls);
      const again = clients.map((client) => client.callTool('count_up', { to: 2 }));
      expect(await Promise.all(again)).toMatchObject(clients.map(() => ({ content: [{ text: 'Done' }] })));
      const before = [...updates];
      await expect
        .poll(() => {
          writeFileSync(note, `${index} ${performance.now()}`);
          return updates.every((count, client) => count > before[client]!);
        })
        .toBe(true);
    }
    await Promise.all(clients.map((client) => client.close()));
  });
});
