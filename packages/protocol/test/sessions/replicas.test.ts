import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, type ClientOptions, serverAt } from '@mcp/protocol/client';
import { afterAll, expect, test } from 'vitest';
import { basics } from '../http/http-wire.ts';
import { initialize } from '../requirements/wire.ts';
import { Replicas } from './replicas.ts';

const directory = mkdtempSync(join(tmpdir(), 'mcp-replicas-'));
afterAll(() => rmSync(directory, { recursive: true }));
const note = join(directory, 'note.txt');
writeFileSync(note, 'first');

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const [older, newer] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')] as const;
const options = { keys: [older], note };

const connect = (url: string, revision: string, more: ClientOptions = {}) =>
  Client.connect(serverAt(url), { revision, backoff: { minMs: 10, maxMs: 50 }, ...more });

/** What the tool `who` answers. */
async function calledBy(client: Client): Promise<{ pid: number; client: { sessionId: string } }> {
  const { content } = await client.callTool('who');
  return JSON.parse((content[0] as { text: string }).text) as { pid: number; client: { sessionId: string } };
}

/** What the tool `who` answers at each replica. */
async function calledAtEach(client: Client, replicas: Replicas) {
  const answers = new Map<number, object>();
  while (answers.size < replicas.pids.length) {
    const { pid, client: told } = await calledBy(client);
    answers.set(pid, told);
  }
  expect(new Set(answers.keys())).toEqual(new Set(replicas.pids));
  return [...answers.values()];
}

test('clients of each revision are served by each of three replicas, one killed and replaced', async () => {
  await using replicas = await Replicas.start(3, 'in turn', options);
  const roots = () => Promise.resolve([]);
  const each = versions.map((version) =>
    connect(replicas.url, version, { roots, name: 'tester', version: '2' }),
  );
  const clients = await Promise.all(each);
  const before = await Promise.all(clients.map((client) => calledAtEach(client, replicas)));
  for (const [index, answers] of before.entries()) {
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      revision: versions[index],
      info: { name: 'tester', version: '2' },
      capabilities: { roots: {} },
      principal: 'anonymous',
    });
  }
  await replicas.replace(1, options);
  for (const [index, client] of clients.entries()) {
    expect(await calledAtEach(client, replicas)).toEqual(before[index]);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['who', 'confirm']);
    expect((await client.readResource(pathToFileURL(note).href)).contents).toHaveLength(1);
    await client.close();
  }
  await refusesOthers(replicas);
});

/** A session is for its principal alone, at each replica. */
async function refusesOthers({ url, pids }: Replicas): Promise<void> {
  const post = (message: object, headers: { [name: string]: string }) =>
    fetch(url, { method: 'POST', headers: { ...basics, ...headers }, body: JSON.stringify(message) });
  const alice = { authorization: 'Bearer alice' };
  const began = await post(initialize(1, '2025-11-25'), alice);
  const session = { 'mcp-session-id': began.headers.get('mcp-session-id')! };
  await began.text();
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  const statuses = async (headers: { [name: string]: string }) =>
    Promise.all(pids.map(async () => (await post(ping, { ...session, ...headers })).status));
  expect(await statuses(alice)).toEqual([200, 200, 200]);
  expect(await statuses({ authorization: 'Bearer bob' })).toEqual([404, 404, 404]);
  expect(await statuses({})).toEqual([404, 404, 404]);
}

test('a key is replaced, replica by replica, while sessions go on', async () => {
  await using replicas = await Replicas.start(2, 'in turn', options);
  const step = async (...keys: string[]) => {
    for (const index of [0, 1]) {
      await replicas.replace(index, { keys, note });
      // Both replicas serve all sessions, while they have different keys.
      for (const client of clients) await calledAtEach(client, replicas);
    }
  };
  const clients: Client[] = [await connect(replicas.url, '2025-11-25')];
  const sessionOf = async (client: Client) => (await calledBy(client)).client.sessionId;
  const first = await sessionOf(clients[0]!);
  await step(older, newer);
  clients.push(await connect(replicas.url, '2025-06-18'));
  await step(newer, older);
  clients.push(await connect(replicas.url, '2025-03-26'));
  const last = await sessionOf(clients[2]!);
  expect(await sessionOf(clients[0]!)).toBe(first);
  await step(newer);
  // The key of the first session is gone: its client has begun a new session.
  expect(await sessionOf(clients[0]!)).not.toBe(first);
  expect(await sessionOf(clients[2]!)).toBe(last);
  for (const client of clients) await client.close();
});

test('with one replica for each session, all of it works', async () => {
  await using replicas = await Replicas.start(2, 'by session', options);
  for (const version of versions) await worksAtOne(replicas, version);
});

/** A client asks, subscribes, loses its replica, and goes on at the other one. */
async function worksAtOne(replicas: Replicas, version: string): Promise<void> {
  const elicit = () => Promise.resolve({ action: 'accept' as const, content: {} });
  await using client = await connect(replicas.url, version, { elicit });
  // 2025-03-26 has no elicitation.
  if (version !== '2025-03-26')
    expect(await client.callTool('confirm')).toMatchObject({ content: [{ text: 'Sure' }] });
  let updates = 0;
  let heard = () => {};
  await client.subscribe(pathToFileURL(note).href, () => {
    updates++;
    heard();
  });
  const update = async () => {
    const before = updates;
    const { promise, resolve } = Promise.withResolvers<void>();
    heard = () => updates > before && resolve();
    writeFileSync(note, `${version} ${before}`);
    await promise;
  };
  await update();
  const { pid, client: before } = await calledBy(client);
  await replicas.replace(replicas.pids.indexOf(pid), options);
  // The subscription is lost with the replica, so the client begins a new session, and subscribes again.
  await expect
    .poll(async () => (await calledBy(client)).client.sessionId, { timeout: 15_000 })
    .not.toBe(before.sessionId);
  await update();
}
