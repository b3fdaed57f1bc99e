import { Client, serverAt } from '@mcp/protocol/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { fixtureProgram } from '../fixtures/fixture-program.ts';
import { scriptedHttp, session } from './scripted-http.ts';
import { connectTo, newest, ScriptedPeer, text } from './scripted-peer.ts';

const isCall = ({ method }: { method?: unknown }) => method === 'tools/call';

test('each of several concurrent calls ends after its own timeout', async () => {
  const peer = new ScriptedPeer(newest, { 'tools/call': () => undefined });
  await using client = await connectTo(peer, newest);
  const longest = client.callTool('any');
  const { id } = await peer.awaited(isCall);
  const ended: number[] = [];
  const timedOut = [60, 20, 40].map((timeoutMs) =>
    client.callTool('any', {}, { timeoutMs }).catch((error: Error) => {
      expect(error.message).toContain(`No response to tools/call within ${timeoutMs} ms`);
      ended.push(timeoutMs);
    }),
  );
  await Promise.all(timedOut);
  expect(ended).toEqual([20, 40, 60]);
  peer.send({ id, result: text('at last') });
  expect(await longest).toMatchObject({ content: [{ text: 'at last' }] });
});

test('a timeout of Infinity never ends a call', async () => {
  const peer = new ScriptedPeer(newest, { 'tools/call': () => undefined });
  await using client = await connectTo(peer, newest);
  const endless = client.callTool('any', {}, { timeoutMs: Infinity, maxTimeoutMs: Infinity });
  const { id } = await peer.awaited(isCall);
  await expect(client.callTool('any', {}, { timeoutMs: 20 })).rejects.toThrow('No response');
  peer.send({ id, result: text('at last') });
  expect(await endless).toMatchObject({ content: [{ text: 'at last' }] });
});

test('finished calls do not keep their program alive', async () => {
  const host = fixtureProgram('../client/idle-host.ts');
  const child = spawn(process.execPath, [host], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a timeout that is no time is refused', async () => {
  const peer = new ScriptedPeer(newest);
  await using client = await connectTo(peer, newest);
  for (const timeoutMs of [NaN, -1]) {
    await expect(client.callTool('any', {}, { timeoutMs })).rejects.toThrow(
      `Invalid timeoutMs: ${timeoutMs}; expected a number of milliseconds, 0 or more`,
    );
  }
  await expect(client.callTool('any', {}, { maxTimeoutMs: NaN })).rejects.toThrow(
    'Invalid maxTimeoutMs: NaN',
  );
  await expect(connectTo(new ScriptedPeer(newest), newest, { timeoutMs: NaN })).rejects.toThrow(
    'Invalid timeoutMs: NaN',
  );
});

test('an unanswered "notifications/initialized" delays neither calls nor the end', async () => {
  const { url, exchanges } = await scriptedHttp({ ...session, 'notifications/initialized': () => {} });
  const started = performance.now();
  const client = await Client.connect(serverAt(url), { revision: '2025-11-25' });
  expect(await client.callTool('any', {}, { timeoutMs: 400 })).toMatchObject({ content: [{ text: 'done' }] });
  await client.close();
  expect(performance.now() - started).toBeLessThan(4_000);
  // The notification is sent first nevertheless.
  expect(exchanges.map(({ message }) => message['method'] ?? '').filter(Boolean)).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/call',
  ]);
});
