import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Workspace } from '../workspace.ts';

test.each(['README.md', 'README.zh-CN.md'])('%s has the sizes of the list of tools', async (name) => {
  await using workspace = await Workspace.create();
  const kilobytesWith = async (structured: boolean, digits: number) => {
    await using client = await workspace.connect({ structured });
    const { length } = Buffer.from(JSON.stringify({ tools: await client.listTools() }));
    return (length / 1_000).toFixed(digits);
  };
  const readme = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const list = await kilobytesWith(false, 1);
  // The second place is the comparison with a peer.
  expect(readme.split(`${list} kB`)).toHaveLength(3);
  expect(readme).toMatch(new RegExp(`${list} kB.*\`--structured\`.* ${await kilobytesWith(true, 0)} kB`));
});
