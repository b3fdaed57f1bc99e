import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../workspace.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('the README has the bytes of the list with --keep', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ keep: { directory: join(workspace.base, 'keep') } });
  const size = JSON.stringify(await client.listTools()).length;
  expect(readme.replace(/\s+/g, ' ')).toContain(`the list of tools then has ${size} bytes`);
});

test('the README has the bytes of the list with --structured', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ structured: true });
  const size = JSON.stringify(await client.listTools()).length;
  expect(readme.replace(/\s+/g, ' ')).toContain(`with \`--structured\` the list of tools has ${size} bytes`);
});
