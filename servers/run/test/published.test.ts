import { readFileSync } from 'node:fs';
import { listedTables, published, readmeTables } from '@mcp/test-kit';
import type { Client } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { exampleIn, Workspace } from './workspace.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function example(): Workspace {
  const workspace = new Workspace();
  workspace.write(workspace.file, exampleIn(workspace));
  return workspace;
}

const bytesOf = async (client: Client) =>
  Buffer.byteLength(JSON.stringify({ tools: await client.listTools() }));

test('the published title, capabilities, tools, resource templates and prompts are unchanged', async () => {
  using workspace = example();
  await using client = await workspace.connect();
  await expect(await published(client)).toMatchFileSnapshot('published.json');
});

test('the README has the size of the list of tools', async () => {
  using workspace = example();
  await using client = await workspace.connect();
  const bytes = await bytesOf(client);
  const [readOutput] = (await client.listTools()).slice(-1);
  const own = Buffer.byteLength(JSON.stringify(readOutput));
  await using withSchemas = await workspace.connect({ structured: true });
  const structured = ((await bytesOf(withSchemas)) / 1_000).toFixed(1);
  expect(/^The list of these tools has .*$/m.exec(readme)?.[0]).toBe(
    `The list of these tools has ${bytes.toLocaleString('en')} bytes, ${own} of them for \`read_output\`; with \`--structured\` it has ${structured} kB.`,
  );
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
