import { readFileSync } from 'node:fs';
import { listedTables, readmeTables } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import type { OptionalPackages } from '../../src/optional/installed-packages.ts';
import { Workspace } from '../workspace.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const { outline, documents }: OptionalPackages = {
  outline: () => {
    throw new Error('Listing loads no package');
  },
  documents: () => {
    throw new Error('Listing loads no package');
  },
};

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
