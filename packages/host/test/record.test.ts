import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const { directory } = workspace;

test('what was called is added to a file, which passes at every revision', async () => {
  const file = join(directory.base, 'calls.yaml');
  const add = async (...words: string[]) => {
    const { stderr, code } = await workspace.mcp([...words, '--record', file]);
    expect(stderr).toBe(`added to ${file}\n`);
    return code;
  };
  expect(await add('call', 'fix.echo', 'text=a\n: ${b} $${c}')).toBe(0);
  expect(await add('call', 'fix.echo', `text=${'long\n'.repeat(1_000)}`)).toBe(0);
  expect(await add('call', 'fix.fail')).toBe(5);
  expect(await add('read', 'fix', 'note:///first')).toBe(0);
  expect(await add('prompt', 'fix.greet', 'language=french')).toBe(0);
  expect(await add('complete', 'fix.greet', 'language=e')).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain(`  - tool: fail
    expect:
      error: true
      text:
        equals: It failed
  - resource: note:///first
    expect:
      text:
        equals: Note first
`);
  const { stdout, code } = await workspace.mcp(['test', 'fix', file, '--revision', 'all']);
  expect(stdout).toMatch(/\n30 passed\n$/);
  expect(code).toBe(0);
});

test('calls at the same time are all added', async () => {
  const file = join(directory.base, 'together.yaml');
  const texts = ['a', 'b', 'c', 'd'];
  await Promise.all(
    texts.map((text) => workspace.mcp(['call', 'fix.echo', `text=${text}`, '--record', file])),
  );
  const recorded = readFileSync(file, 'utf8');
  const added = Array.from(recorded.matchAll(/^ {6}text: (.)$/gm), ([, text]) => text);
  expect(new Set(added)).toEqual(new Set(texts));
  expect(added).toHaveLength(texts.length);
  expect(recorded.match(/^calls:$/gm)).toHaveLength(1);
});

test('a file keeps its comments and its indentation', async () => {
  const before = '# Mine\ncalls:\n- tool: noisy # first\n  expect: { error: false }\n# last';
  const file = directory.put('mine.yaml', before);
  await workspace.mcp(['call', 'fix.echo', 'text=Hi', '--record', file]);
  expect(readFileSync(file, 'utf8')).toBe(
    `${before}\n- tool: echo\n  arguments:\n    text: Hi\n  expect:\n    text:\n      equals: Hi\n`,
  );
});

test.each([
  [
    'calls: [{ tool: a }]',
    'Cannot add to --record "FILE": expected a block list "calls" at the end of the file',
  ],
  ['calls:\n  - tool: a\n$schema: x\n', 'Cannot add to --record "FILE": '],
  ['calls:\n  - tol: a\n', 'FILE:2:5: calls[0]: Expected one of tool, '],
])('nothing is called if no call can be added to %j', async (text, message) => {
  const file = directory.put('full.yaml', text);
  const { stdout, stderr, code } = await workspace.mcp(['call', 'fix.echo', 'text=Hi', '--record', file]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  expect(stderr.replaceAll(file, 'FILE')).toContain(message);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a task, or a call of a model, is not recorded', async () => {
  const { stderr } = await workspace.mcp(['call', 'fix.job', '--task', '--record', 'x.yaml']);
  expect(stderr).toContain('Invalid --record with --task; expected one of them');
});
