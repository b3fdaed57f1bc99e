import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const directory = new TemporaryDirectory('vendors-readme');
afterAll(() => directory[Symbol.dispose]());

/** The programs of the README, each with its output. */
const examples = Array.from(
  readFileSync(path('../README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g),
  ([, code = '', printed = ''], index) => ({ file: `example-${index + 1}.mts`, code, printed }),
);

beforeAll(() => {
  const modules = join(directory.root, 'node_modules');
  mkdirSync(join(modules, '@mcp'), { recursive: true });
  mkdirSync(join(modules, '@types'));
  symlinkSync(path('..'), join(modules, '@mcp/vendors'), 'junction');
  symlinkSync(path('../../../node_modules/@types/node'), join(modules, '@types/node'), 'junction');
  for (const { file, code } of examples) directory.put(file, code);
});

test('there is an example for each chapter', () => {
  expect(examples.map(({ code }) => /from '(.*)'/.exec(code)?.[1])).toEqual([
    '@mcp/vendors',
    '@mcp/vendors',
    '@mcp/vendors/content',
  ]);
});

test('the examples compile in TypeScript', async () => {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    customConditions: ['@mcp/source'],
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  directory.put(
    'tsconfig.json',
    JSON.stringify({ compilerOptions, files: examples.map(({ file }) => file) }),
  );
  await run(process.execPath, [path('../../../node_modules/typescript/bin/tsc'), '-p', directory.root]);
});

test.each(examples)('$file prints what the README shows', async ({ file, printed }) => {
  const { stdout } = await run(process.execPath, ['--conditions=@mcp/source', file], { cwd: directory.root });
  expect(stdout).toBe(printed);
});
