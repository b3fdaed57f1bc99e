import type { Client } from '@mcp/protocol/client';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from '../small-server.ts';
import { GatewayProgram, probeServer, textOf } from './gateway-program.ts';

function gatewayOf(...args: ConstructorParameters<typeof GatewayProgram>): GatewayProgram {
  const gateway = new GatewayProgram(...args);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return gateway;
}

async function pidOf(client: Client, server: string): Promise<string | undefined> {
  return textOf(await client.callTool(`${server}__count`)).split(' ', 1)[0];
}

async function serversOf(client: Client): Promise<string[]> {
  return [...new Set((await client.listTools()).map(({ name }) => name.split('__', 1)[0] ?? ''))];
}

test('a changed configuration restarts a changed server with its subscriptions, and no other', async () => {
  const [same, removed] = [probeServer('same'), probeServer('removed', 'legacy')];
  const gateway = gatewayOf({ same, changed: probeServer('changed'), removed });
  const client = await gateway.stdio();
  const pids = await Promise.all(['same', 'changed'].map((name) => pidOf(client, name)));
  let updates = 0;
  await client.subscribe('mcp://changed/test://shared', () => updates++);
  const listChanged = new Promise<void>((resolve) => void client.watchList('tools', resolve));
  gateway.configure({ same, changed: probeServer('other'), added: probeServer('added', 'modern') });
  await listChanged;
  await expect.poll(() => serversOf(client), { timeout: 10_000 }).toEqual(['same', 'changed', 'added']);
  expect(await pidOf(client, 'same')).toBe(pids[0]);
  expect(await pidOf(client, 'changed')).not.toBe(pids[1]);
  expect(await client.callTool('changed__echo')).toMatchObject({ _meta: { 'example.com/of': 'other' } });
  await expect(client.callTool('removed__echo')).rejects.toThrow('Unknown tool: "removed__echo"');
  // Changes may have been missed, so that the restart itself counts as one.
  await expect.poll(() => updates).toBeGreaterThan(0);
  const before = updates;
  await client.callTool('changed__touch');
  await expect.poll(() => updates).toBeGreaterThan(before);
  expect(gateway.lines.join('\n')).not.toContain('lost');
});

test('with --servers, a server that is added to the configuration is not served, and filters change immediately', async () => {
  const [one, two] = [probeServer('one'), probeServer('two', 'modern')];
  const gateway = gatewayOf({ one, two }, '--servers', 'one,two');
  const client = await gateway.http();
  const pids = await Promise.all(['one', 'two'].map((name) => pidOf(client, name)));
  const listChanged = new Promise<void>((resolve) => void client.watchList('tools', resolve));
  gateway.configure({ one: { ...one, disabledTools: ['echo'] }, added: probeServer('added'), two });
  await listChanged;
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names).not.toContain('one__echo');
  expect(names).toContain('two__echo');
  expect(await serversOf(client)).toEqual(['one', 'two']);
  expect(await Promise.all(['one', 'two'].map((name) => pidOf(client, name)))).toEqual(pids);
});

test.each(['2025-11-25', '2026-07-28'])(
  'clients of %s learn what an added server can do: earlier ones by notifications, later ones by their handshake',
  async (revision) => {
    const directory = new TemporaryDirectory('gateway-added');
    onTestFinished(() => directory[Symbol.dispose]());
    const plain = smallServer(directory);
    const gateway = gatewayOf({ plain });
    const before = await gateway.http({ revision });
    const changes = { listChanged: true };
    expect(before.capabilities).toMatchObject({ tools: changes, resources: changes, prompts: changes });
    expect(before.instructions ?? '').not.toContain('added');
    const changed = new Promise<void>((resolve) => void before.watchList('prompts', resolve));
    gateway.configure({ plain, added: probeServer('added') });
    await changed;
    const prompts = async () => (await before.listPrompts()).map(({ name }) => name);
    await expect.poll(prompts, { timeout: 10_000 }).toEqual(['added__greet']);
    expect(await before.readResource('test://shared')).toMatchObject({
      contents: [{ text: 'shared of added' }],
    });
    const later = await gateway.http({ revision });
    expect(later.instructions).toContain('# added\n\nInstructions of added.');
    expect(later.capabilities).toMatchObject({ logging: {}, completions: {} });
  },
);

test.each(['modern', 'legacy'] as const)(
  'a call of a %s server that a change of the configuration ends says so',
  async (era) => {
    const gateway = gatewayOf({ changed: probeServer('changed', era), removed: probeServer('removed', era) });
    const client = await gateway.stdio();
    const calls = ['changed', 'removed'].map(
      (server) =>
        new Promise<string>((resolve, reject) => {
          const running = new Promise<void>((progressed) => {
            client.callTool(`${server}__slow`, {}, { onProgress: () => progressed() }).then(
              () => reject(new Error('It has answered')),
              (error: Error) => resolve(error.message),
            );
          });
          running.then(() => started.push(server), reject);
        }),
    );
    const started: string[] = [];
    await expect.poll(() => started.length, { timeout: 10_000 }).toBe(2);
    gateway.configure({ changed: probeServer('other', era) });
    for (const [index, server] of ['changed', 'removed'].entries())
      expect(await calls[index]).toContain(
        `${server}: the server was ended during the call, because its configuration has changed`,
      );
  },
);
