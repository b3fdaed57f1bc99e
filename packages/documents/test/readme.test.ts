import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { excel } from './samples.ts';

const run = promisify(execFile);
// In the package, so that the example finds it by name.
const directory = mkdtempSync(join(import.meta.dirname, 'example-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

test('the example of the README compiles, and prints what it says', async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, printed = ''] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const products = [
    ['Name', 'Price'],
    ['Widget', 9.99],
    ['Gadget', 24.5],
  ];
  writeFileSync(join(directory, 'prices.xlsx'), await excel({ Products: products, Shops: [] }));
  writeFileSync(join(directory, 'example.ts'), example);
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['.'], exclude: [] }),
  );
  await run(join(import.meta.dirname, '../../../node_modules/.bin/tsc'), ['--project', directory]);
  const { stdout } = await run(process.execPath, ['--conditions=@mcp/source', 'example.ts'], {
    cwd: directory,
  });
  expect(stdout).toBe(printed);
});
