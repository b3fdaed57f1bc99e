import { readFileSync } from 'node:fs';
import { listedTables, published, readmeTables } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

/** A client of a server with every option on, which has every tool. */
const connectToAll = (workspace: Workspace) =>
  workspace.connect({
    allowWrite: true,
    allowCreate: true,
    exportDirectory: workspace.outside,
    importDirectory: workspace.outside,
  });

test('the published title, capabilities, tools, resource templates and prompts are unchanged', async () => {
  using workspace = new Workspace();
  await using client = await connectToAll(workspace);
  await expect(await published(client)).toMatchFileSnapshot('published.json');
});

/** A model reads the list before every conversation, so its size is watched: raise it when you add a tool. */
const maxToolList = 5_760;

test('the list of tools stays within its size limit', async () => {
  using workspace = new Workspace();
  await using client = await connectToAll(workspace);
  const size = Buffer.byteLength(JSON.stringify({ tools: await client.listTools() }));
  expect(
    size,
    'The list of tools is larger than maxToolList: raise it when you add a tool',
  ).toBeLessThanOrEqual(maxToolList);
});

test('tools that write or export are there only when they are asked for', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const names = (await client.listTools()).map(({ name }) => name);
  await using all = await connectToAll(workspace);
  const others = ['write', 'import', 'export'];
  const withAll = (await all.listTools()).map(({ name }) => name);
  expect(withAll.toSorted()).toEqual([...names, ...others].toSorted());
  await using writing = await workspace.connect({ allowWrite: true });
  expect((await writing.listTools()).map(({ name }) => name)).toEqual([...names, 'write']);
});

test('the README lists every tool, resource and prompt with every argument', async () => {
  using workspace = new Workspace();
  await using client = await connectToAll(workspace);
  const tables = readmeTables(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
  expect(tables).toEqual(await listedTables(client));
});

test('no published schema contains an empty schema', async () => {
  using workspace = new Workspace();
  await using client = await connectToAll(workspace);
  const empty: string[] = [];
  const search = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const isEmpty = typeof member === 'object' && member !== null && Object.keys(member).length === 0;
      if (isEmpty && (key !== 'properties' || path.endsWith('/properties'))) empty.push(`${path}/${key}`);
      search(member, `${path}/${key}`);
    }
  };
  for (const { name, inputSchema, outputSchema } of await client.listTools()) {
    search({ inputSchema, outputSchema }, name);
  }
  expect(empty).toEqual([]);
});
