import { readFileSync } from 'node:fs';
import { listedTables, published, readmeTables } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('the published title, capabilities, tools, resource templates and prompts are unchanged', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await expect(await published(client)).toMatchFileSnapshot('published.json');
});

/** A model reads the list before every conversation, so its size is watched: raise it when you add a tool. */
const maxToolList = 5_280;

test('the list of tools stays within its size limit', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const size = Buffer.byteLength(JSON.stringify({ tools: await client.listTools() }));
  expect(
    size,
    'The list of tools is larger than maxToolList: raise it when you add a tool',
  ).toBeLessThanOrEqual(maxToolList);
});

test.each([false, true])('the instructions have 400 to 600 bytes, with demo %s', async (demo) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo });
  const bytes = Buffer.byteLength(client.instructions ?? '');
  expect(bytes).toBeGreaterThanOrEqual(400);
  expect(bytes).toBeLessThanOrEqual(600);
});

test('the README lists every tool, resource and prompt with every argument', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { tools, resources, prompts } = await listedTables(client);
  expect(readmeTables(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))).toEqual({
    tools,
    resources: [['weather://places'], ...resources],
    prompts,
  });
});
