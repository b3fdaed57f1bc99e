import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const examples = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code);

test('there is an example for each entry', () => {
  expect(examples.map((code) => /from '(@mcp.*)'/.exec(code)?.[1])).toEqual([
    '@mcp/kit',
    '@mcp/kit/node',
    '@mcp/kit/jsonc',
  ]);
});

test.skipIf(process.platform === 'win32').each(examples)('each line returns the value beside it', (code) => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'node_modules/@mcp'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '..'), join(directory, 'node_modules/@mcp/kit'), 'junction');
  const expected = Array.from(code.matchAll(/^.*; \/\/ (\[.*?\]|'.*?'|\w+)/gm), ([, value = '']) => value);
  const printing = code.replaceAll(/^(.*); \/\/ .*$/gm, 'console.log($1);');
  writeFileSync(join(directory, 'example.mts'), `${printing}\nprocess.exit();\n`);
  const args = ['--conditions', '@mcp/source', 'example.mts'];
  const printed = execFileSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
  const shown = printed.trimEnd().split('\n');
  expect(shown.map((line) => line.replace(/^\[ (.*) \]$/, '[$1]'))).toEqual(
    expected.map((value) => value.replaceAll(/^'|'$/g, '').replaceAll('\\\\', '\\')),
  );
});
