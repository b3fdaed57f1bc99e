import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
// The directory is inside the package, so that the example can import the package by its name.
const directory = mkdtempSync(join(import.meta.dirname, 'example-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the example of the README compiles, and prints what it says', { timeout: 60_000 }, async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const [, example = '', printed = ''] =
    /```ts\n([\s\S]*?)```\n[\s\S]*?```\n([\s\S]*?)```/.exec(readme) ?? [];
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
