import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exampleIn, Workspace } from '../workspace.ts';

test.each(['README.md', 'README.zh-CN.md'])('%s has the sizes of the list of tools', async (name) => {
  using workspace = new Workspace();
  workspace.write(workspace.file, exampleIn(workspace));
  const listWith = async (options: object) => {
    await using client = await workspace.connect(options);
    return await client.listTools();
  };
  const tools = await listWith({});
  const structured = await listWith({ structured: true });
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const readme = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const line = readme.split('\n').find((each) => each.includes('`read_output`') && each.includes(' kB'));
  expect(line?.match(/\d[\d,.]*/g)?.toSorted()).toEqual(
    [
      bytesOf({ tools }).toLocaleString('en'),
      String(bytesOf(tools.find((tool) => tool.name === 'read_output'))),
      (bytesOf({ tools: structured }) / 1_000).toFixed(1),
    ].toSorted(),
  );
});
