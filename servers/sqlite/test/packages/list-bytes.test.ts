import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../workspace.ts';

shareProcesses();

test('the README has the sizes of the list of tools', async () => {
  using workspace = new Workspace();
  const files = { exportDirectory: workspace.outside, importDirectory: workspace.outside };
  const options = [
    {},
    { allowWrite: true },
    { allowWrite: true, ...files },
    { allowWrite: true, ...files, structured: true },
  ];
  const sizes: string[] = [];
  for (const each of options) {
    await using client = await workspace.connect(each);
    const { length } = Buffer.from(JSON.stringify({ tools: await client.listTools() }));
    sizes.push(length.toLocaleString('en'));
  }
  const [plain, writing, all, structured] = sizes;
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(
    `The list of tools has ${plain} bytes, with \`--allow-write\` ${writing}, and with \`--import\` and \`--export\` too ${all}; with \`--structured\` besides, it has ${structured}.`,
  );
});

test.each(['README.md', 'README.zh-CN.md'])(
  '%s has how much longer the list is for a host with views',
  async (name) => {
    using workspace = new Workspace();
    const sizeFor = async (shows: boolean) => {
      await using client = await workspace.connect({ allowWrite: true, shows });
      return Buffer.byteLength(JSON.stringify({ tools: await client.listTools() }));
    };
    const more = (await sizeFor(true)) - (await sizeFor(false));
    expect(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')).toContain(
      more.toLocaleString('en'),
    );
  },
);
