import { readFileSync } from 'node:fs';
import { listedTables, published, readmeTables } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the published title, capabilities, tools, resource templates and prompts are unchanged', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  await expect(await published(client)).toMatchFileSnapshot('published.json');
});

/** A model reads the list before every conversation: 12.3 kB, and a tenth more. */
const maxToolList = 13_530;

test('the list of tools stays within its size limit', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const size = JSON.stringify(await client.listTools()).length;
  expect(
    size,
    'The list of tools is larger than maxToolList: raise it when you add a tool',
  ).toBeLessThanOrEqual(maxToolList);
});

test('the README lists every tool, resource and prompt with every argument', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(readmeTables(readme)).toEqual(await listedTables(client));
});
