import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callTool, linesOf, sh, Workspace } from '../../test/workspace.ts';

const status = (text: string) => text.split('\n')[0]!.replace(/\d+\.\d s/g, '… s');

test('an answer has the exit code, the duration, and stdout and stderr in their order', async () => {
  using workspace = new Workspace({
    mixed: sh('for n in 1 2 3; do echo out $n; echo err $n >&2; done; echo last >/dev/stderr; exit 3'),
  });
  await using client = await workspace.connect();
  const answer = await callTool(client, 'mixed');
  expect(answer.isError).toBe(false);
  expect(status(answer.text)).toBe('Failed: exit code 3 after … s, 7 lines; run 1');
  expect(answer.text.split('\n').slice(1)).toEqual([
    '1\tout 1',
    '2\terr 1',
    '3\tout 2',
    '4\terr 2',
    '5\tout 3',
    '6\terr 3',
    '7\tlast',
  ]);
});

test('a signal, a success and an empty output are said', async () => {
  using workspace = new Workspace({ dies: sh('kill -SEGV $$'), well: sh(':') });
  await using client = await workspace.connect();
  expect(status((await callTool(client, 'dies')).text)).toBe('Ended by SIGSEGV after … s, 0 lines; run 1');
  const well = await callTool(client, 'well');
  expect(status(well.text)).toBe('Done: exit code 0 after … s, 0 lines; run 2');
  expect(linesOf(well)).toEqual(['No output']);
});

test('arguments are passed as they are, without a shell', async () => {
  const text = { type: 'string' };
  using workspace = new Workspace({
    print: {
      description: 'Prints its arguments.',
      argv: ['printf', '<%s>\\n', '{a}', '--b={b}', '{list}', { if: 'flag', argv: ['--flag', '{n}'] }],
      arguments: {
        a: text,
        b: { ...text, allowDash: true },
        list: { type: 'array', items: text },
        flag: { type: 'boolean' },
        n: { type: 'integer', default: 7 },
      },
    },
  });
  await using client = await workspace.connect();
  const hostile = [
    '; touch pwned',
    '$(touch pwned)',
    '`touch pwned`',
    '| x',
    '&& x',
    '> pwned',
    '*',
    '\'"',
    'a\nb',
    '~',
    '$HOME',
    '\\',
    'é\u{1f600}',
  ];
  for (const a of hostile) expect(linesOf(await callTool(client, 'print', { a })).join('\n')).toBe(`<${a}>`);
  expect(linesOf(await callTool(client, 'print', { a: 'x', b: '-y', list: ['p', 'q'], flag: true }))).toEqual(
    ['<x>', '<--b=-y>', '<p>', '<q>', '<--flag>', '<7>'],
  );
  expect(linesOf(await callTool(client, 'print', { list: [], flag: false, b: '' }))).toEqual(['<--b=>']);
  expect(() => workspace.read('pwned')).toThrow();
});

test('a value that starts with "-" does not become an option, unless its schema allows it', async () => {
  const text = { type: 'string' };
  using workspace = new Workspace({
    show: {
      description: 'Prints.',
      argv: ['printf', '<%s>\\n', '{plain}', '{dashed}', '{listed}', 'x{plain}', '{number}', '{a}{b}'],
      arguments: {
        plain: text,
        dashed: { ...text, allowDash: true },
        listed: { ...text, enum: ['-v', '-q'] },
        number: { type: 'number' },
        a: text,
        b: text,
      },
    },
  });
  await using client = await workspace.connect();
  const refused = async (args: Record<string, unknown>) => {
    const { text: said, isError } = await callTool(client, 'show', args);
    expect(isError).toBe(true);
    return said;
  };
  expect(await refused({ plain: '--output=/etc/x' })).toContain(
    '"plain" must not start with "-", because the program could take it for an option: "--output=/etc/x"; write a path as "./--output=/etc/x"',
  );
  expect(await refused({ number: -1 })).toContain('"number" must not start with "-"');
  expect(await refused({ a: '', b: '-x' })).toContain('must not start with "-"');
  expect(linesOf(await callTool(client, 'show', { dashed: '--all', listed: '-v' }))).toEqual([
    '<--all>',
    '<-v>',
  ]);
});

test('a wrong argument is refused with its name, its value and what is expected', async () => {
  using workspace = new Workspace({
    all: {
      description: 'Takes everything.',
      argv: ['true', '{word}', '{count}', '{level}', '{items}', '{flag}'],
      arguments: {
        word: { type: 'string', pattern: '^[a-z]+$', maxLength: 5, minLength: 2 },
        count: { type: 'integer', minimum: 1, maximum: 3 },
        level: { type: 'string', enum: ['low', 'high'] },
        items: { type: 'array', items: { type: 'string', pattern: '^x' }, maxItems: 2 },
        flag: { type: 'boolean' },
      },
      required: ['word'],
    },
  });
  await using client = await workspace.connect();
  const said = async (args: Record<string, unknown>) => (await callTool(client, 'all', args)).text;
  expect(await said({ word: 'abcdef' })).toContain('"word" has 6 characters, more than 5');
  expect(await said({ word: 'a' })).toContain('"word" has 1 characters, fewer than 2');
  expect(await said({ word: 'A1' })).toContain('"word" does not match ^[a-z]+$: "A1"');
  expect(await said({ word: 'ab', count: 4 })).toContain('"count" must be at most 3, not 4');
  expect(await said({ word: 'ab', count: 1.5 })).toMatch(/count/);
  expect(await said({ word: 'ab', level: 'mid' })).toMatch(/"low", "high"/);
  expect(await said({ word: 'ab', items: ['x', 'y'] })).toContain('"items" [1] does not match ^x: "y"');
  expect(await said({ word: 'ab', items: ['x', 'x', 'x'] })).toContain('"items" has 3 values, more than 2');
  expect(await said({})).toMatch(/word/);
  expect(await said({ word: 'ab', cuont: 1 })).toMatch(/Unknown argument "cuont".*count/);
  expect(await said({ word: 'a\0b' })).toMatch(/NUL|match/);
});

test('names that models bring for the one text of a command are understood', async () => {
  using workspace = new Workspace({
    cat: {
      description: 'Prints files.',
      argv: ['echo', '{targets}'],
      arguments: { targets: { type: 'array', items: { type: 'string' } } },
    },
  });
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'cat', { file_path: 'a.ts' }))).toEqual(['a.ts']);
  expect(linesOf(await callTool(client, 'cat', { files: ['a.ts', 'b.ts'] }))).toEqual(['a.ts b.ts']);
});

test('a program that is missing, not executable or a directory, and a lost working directory, are each said', async () => {
  using workspace = new Workspace();
  workspace.put('folder/x', '');
  workspace.configure({
    missing: { description: '-', argv: ['no-such-program'] },
    gone: { description: '-', argv: ['./gone.sh'] },
    plain: { description: '-', argv: ['./plain.sh'] },
    folder: { description: '-', argv: ['./folder/'] },
    lost: { description: '-', argv: ['true'], cwd: '../project/folder' },
  });
  workspace.put('plain.sh', 'echo no');
  await using client = await workspace.connect();
  const said = async (tool: string) => {
    const { text, isError } = await callTool(client, tool);
    expect(isError).toBe(true);
    return text;
  };
  expect(await said('missing')).toMatch(
    /^No such program: "no-such-program" is in no directory of PATH \(.*install it/,
  );
  expect(await said('gone')).toBe(`No such program: "${workspace.project}/gone.sh"`);
  expect(await said('plain')).toBe(
    `Not executable: "${workspace.project}/plain.sh"; run: chmod +x "${workspace.project}/plain.sh"`,
  );
  expect(await said('folder')).toMatch(/^Not a program but a directory/);
  rmSync(`${workspace.project}/folder`, { recursive: true });
  expect(await said('lost')).toBe(`The working directory is gone: "${workspace.project}/folder"`);
});

test('an unknown command is refused with the nearest name', async () => {
  using workspace = new Workspace({ 'unit-tests': sh(':') });
  await using client = await workspace.connect();
  await expect(client.callTool('unit-test')).rejects.toThrow(
    'Unknown tool: "unit-test"; did you mean "unit-tests"?',
  );
});

test('a program that is not in the configuration cannot be planted by the agent', async () => {
  using workspace = new Workspace({ shown: { description: '-', argv: ['planted'] } });
  workspace.put('planted', '#!/bin/sh\necho planted\n', 0o755);
  const { PATH } = process.env;
  process.env['PATH'] = `${workspace.project}:.:${PATH}`;
  try {
    await using client = await workspace.connect();
    expect((await callTool(client, 'shown')).text).toMatch(/^No such program/);
  } finally {
    process.env['PATH'] = PATH;
  }
});

test('a command that takes long continues as a task, which can be cancelled', async () => {
  using workspace = new Workspace({
    slow: sh('while [ ! -e go ]; do sleep 0.02; done; echo went'),
    hangs: sh('exec 9>fifo; echo up >&9; sleep 600'),
  });
  await using client = await workspace.connect({}, { revision: '2026-07-28' });
  const onTask = () => void workspace.put('go', '');
  expect(linesOf(await callTool(client, 'slow', {}, { onTask }))).toEqual(['went']);

  const fifo = workspace.fifo('fifo');
  const cancelled = new AbortController();
  const call = client.callTool('hangs', {}, { signal: cancelled.signal, onTask: () => cancelled.abort() });
  await expect(call).rejects.toThrow();
  await fifo.gone;
});

test('null is no value of an argument that must be given', async () => {
  using workspace = new Workspace({
    remove: {
      description: '-',
      argv: ['echo', 'removed', '{what}'],
      arguments: { what: { type: 'string' } },
      required: ['what'],
    },
  });
  await using client = await workspace.connect();
  expect(await callTool(client, 'remove', { what: null })).toEqual({
    text: expect.stringContaining('Missing argument: "what"'),
    isError: true,
  });
});
