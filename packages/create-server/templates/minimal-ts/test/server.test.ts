import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@mcp/protocol/testing';
import { expect, onTestFinished, test } from 'vitest';
import { listServer } from '../src/server.ts';

async function start() {
  const directory = mkdtempSync(join(tmpdir(), 'list-'));
  const file = join(directory, 'items.txt');
  const client = await connect(listServer(file));
  onTestFinished(async () => {
    await client.close();
    rmSync(directory, { recursive: true });
  });
  return { file, client };
}

test('an added item is read and part of the prompt', async () => {
  const { client } = await start();
  await client.callTool('add_item', { text: 'Water the plants' });
  const { contents } = await client.readResource('list:///items');
  expect(contents).toMatchObject([{ text: 'Water the plants\n' }]);
  const { messages } = await client.getPrompt('plan_day');
  expect(messages).toMatchObject([{ content: { text: expect.stringContaining('Water the plants') } }]);
});

test('a subscriber is notified when another program changes the list', async () => {
  const { client, file } = await start();
  await new Promise<void>((changed) => {
    void client.subscribe('list:///items', () => changed()).then(() => writeFileSync(file, 'Read\n'));
  });
});
