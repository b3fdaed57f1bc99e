import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../workspace.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('the README has the bytes of the list with --keep and with --structured', async () => {
  using workspace = new Workspace();
  const sizeWith = async (options: object) => {
    await using client = await workspace.connect(options);
    return JSON.stringify(await client.listTools()).length;
  };
  const kept = await sizeWith({ keep: { directory: join(workspace.base, 'keep') } });
  const structured = await sizeWith({ structured: true });
  expect(readme).toContain(
    `With \`--keep\` the list of tools has ${kept} bytes, and with \`--structured\` ${structured}.`,
  );
});
