import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
// The directory is inside the package, so that the example can import the package by its name.
const directory = mkdtempSync(join(import.meta.dirname, 'example-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const [example = '', configuration = '', printed] = Array.from(
  readme.matchAll(/```(?:ts|jsonc|)\n([\s\S]*?)```\n/g),
  ([, code]) => code,
);

test('the example of the README compiles, and prints what it says', async () => {
  writeFileSync(join(directory, 'example.ts'), example);
  writeFileSync(join(directory, 'commands.json'), configuration);
  mkdirSync(join(directory, 'shop'));
  writeFileSync(join(directory, 'shop/package.json'), '{ "scripts": { "greet": "echo Hello" } }');
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
