import { readFileSync } from 'node:fs';
import { listedTables, published, readmeTables } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { exampleIn, Workspace } from './workspace.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function example(): Workspace {
  const workspace = new Workspace();
  workspace.write(workspace.file, exampleIn(workspace));
  return workspace;
}

test('the published title, capabilities, tools, resource templates and prompts are unchanged', async () => {
  using workspace = example();
  await using client = await workspace.connect();
  await expect(await published(client)).toMatchFileSnapshot('published.json');
});

test('the instructions have 400 to 600 bytes', async () => {
  using workspace = example();
  await using client = await workspace.connect();
  const { length } = (client.instructions ?? '').replaceAll(workspace.project, '/home/ada/shop');
  expect(length).toBeGreaterThan(400);
  expect(length).toBeLessThan(600);
});

test('the README lists every tool, resource and prompt with every argument', async () => {
  using workspace = example();
  await using client = await workspace.connect();
  expect(readmeTables(readme)).toEqual(await listedTables(client));
});
