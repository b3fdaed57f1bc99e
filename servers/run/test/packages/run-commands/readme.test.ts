import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { program, run } from '../../program.ts';
import { callTool, exampleIn, Workspace } from '../../workspace.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

test('the example of the README works as it says, from the first refusal to the answer', async () => {
  using workspace = new Workspace();
  workspace.write(workspace.file, exampleIn(workspace));
  workspace.put(
    'sum.test.js',
    "require('node:test')('adds', () => {}); require('node:test')('fails', () => { throw new Error('no'); });",
  );
  workspace.put('package.json', '{ "scripts": { "build": "node build.mjs" } }');
  const [, answer = ''] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const printed = answer
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/^\d+\t/, ''));
  workspace.put('build.mjs', `console.log(${JSON.stringify(printed.join('\n'))}); process.exit(1);`);
  await using client = await workspace.connect();

  expect((await callTool(client, 'build')).text).toContain('is not allowed yet:\n+node build.mjs\n');
  const [, words = ''] = /```sh\nnpx (\S+ allow .*)\n```/.exec(readme) ?? [];
  const args = words.replace('/path/to/commands.json', workspace.file).split(' ').slice(1);
  const { stdout, code } = await run(args, { input: 'y\n' });
  expect(stdout).toContain(`Recorded in ${dirname(workspace.file)}/commands.allowed.json`);
  expect(code).toBe(0);
  const normal = (text: string) => text.replaceAll(/\d+(?:\.\d)? s/g, '… s').trim();
  expect(normal((await callTool(client, 'build')).text.replace(/^Not sandboxed.*\n/m, ''))).toBe(
    normal(answer),
  );

  expect((await callTool(client, 'test', { name: 'adds' })).text).toMatch(/^Done: exit code 0 /);
  expect((await callTool(client, 'test', { files: ['sum.test.js'] })).text).toMatch(/^Failed: exit code 1 /);
  expect((await callTool(client, 'test', { files: ['$(x)'] })).text).toContain('does not match ^[\\w./-]+$');
});

test('the README shows the configuration of these tests', () => {
  const [, example] = /```jsonc\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(example).toBe(readFileSync(new URL('../../commands.jsonc', import.meta.url), 'utf8'));
});

test('the README says which keys a configuration has, and no others', () => {
  const [, table = ''] = /\| key .*\n([\s\S]*?)\n\n/.exec(readme) ?? [];
  const named = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, key = '']) => key);
  using workspace = new Workspace();
  const wrong = (text: object) => {
    workspace.write(workspace.file, JSON.stringify(text));
    try {
      execFileSync(process.execPath, [program, workspace.file], { stdio: 'pipe' });
      return '';
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr);
    }
  };
  const keys = (path: string, text: object) =>
    (new RegExp(`${path}: Unknown key; expected (.*)`).exec(wrong(text))?.[1] ?? '').split(', ');
  const known = [
    ...keys('0000', { '0000': 1 }),
    ...keys('commands.a.0000', { writable: [], commands: { a: { '0000': 1 } } }),
  ].filter((each) => !['$schema', 'commands', 'title'].includes(each));
  expect(new Set(named)).toEqual(new Set(known));
});
