import { readFileSync } from 'node:fs';
import { listedTables, published, readmeTables } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import type { OptionalPackages } from '../src/optional/installed-packages.ts';
import { Workspace } from './workspace.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const { outline, documents }: OptionalPackages = {
  outline: () => {
    throw new Error('Listing loads no package');
  },
  documents: () => {
    throw new Error('Listing loads no package');
  },
};

test('the published title, capabilities, tools, resource templates and prompts are unchanged', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  await expect(await published(client)).toMatchFileSnapshot('published.json');
});

/** A model reads the list before every conversation, so its size is watched: raise it when you add a tool. */
const maxToolList = 12_400;

test('the list of tools stays within its size limit', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const size = JSON.stringify(await client.listTools()).length;
  expect(
    size,
    'The list of tools is larger than maxToolList: raise it when you add a tool',
  ).toBeLessThanOrEqual(maxToolList);
});

test('the README has the bytes of the list of tools with each optional package', async () => {
  using workspace = new Workspace();
  const sizes: Record<string, number> = {};
  for (const optional of [{}, { outline }, { documents }]) {
    await using client = await workspace.connect({ optional });
    sizes[Object.keys(optional)[0] ?? 'none'] = JSON.stringify(await client.listTools()).length;
  }
  const rows = readme.matchAll(/^\| (?:\[`@mcp\/)?(none|outline|documents)\b.*\| +(\d+) \|$/gm);
  expect(Object.fromEntries(Array.from(rows, ([, name, size]) => [name, Number(size)]))).toEqual(sizes);
});

test('the README has the arguments that optional packages add', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ optional: { outline, documents } });
  const { tools } = await listedTables(client);
  const plain = readmeTables(readme).tools.flat();
  const [, section = ''] = /## Optional packages\n(.*?)\n## /s.exec(readme) ?? [];
  for (const each of tools.flat().filter((name) => !plain.includes(name)))
    expect(section, each).toMatch(new RegExp(`\`${each.replace('?', '\\??')}\``));
});

test('the README lists every tool, resource and prompt with every argument', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(readmeTables(readme)).toEqual(await listedTables(client));
});
