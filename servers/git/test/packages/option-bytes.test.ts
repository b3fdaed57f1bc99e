import { readFileSync } from 'node:fs';
import { viewsCapability } from '@mcp/views';
import { expect, test } from 'vitest';
import { Workspace } from '../workspace.ts';

test.each(['README.md', 'README.zh-CN.md'])('%s has the size of the list with each option', async (name) => {
  using workspace = await Workspace.create();
  const sizeWith = async (options: object) => {
    await using client = await workspace.connect(options);
    return Buffer.byteLength(JSON.stringify(await client.listTools()));
  };
  const base = await sizeWith({});
  const kilobytes = async (options: object) => (((await sizeWith(options)) - base) / 1000).toFixed(1);
  expect(await sizeWith({ sign: true })).toBe(base);
  const readme = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  expect(readme.match(/\d+\.\d kB/g)?.slice(0, 5)).toEqual([
    `${(base / 1000).toFixed(1)} kB`,
    `${await kilobytes({ allowRemote: true })} kB`,
    `${await kilobytes({ history: true })} kB`,
    `${await kilobytes({ structured: true })} kB`,
    `${((await sizeWith({ readOnly: true })) / 1000).toFixed(1)} kB`,
  ]);
  const more = (await sizeWith({ extensions: viewsCapability })) - base;
  expect(readme).toContain(more.toLocaleString('en'));
});
