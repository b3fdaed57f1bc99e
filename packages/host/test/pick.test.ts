import { afterAll, describe, expect, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());
const small = smallServer(workspace.directory, { TOOLS: 'echo pointer pid' });
workspace.directory.put('mcp.json', JSON.stringify({ mcpServers: { small } }));

const value = { a: { b: 'x', 'c.d': [{ id: 1 }, { id: 2 }] }, text: '😀😀\u001b[2J', none: null };
const call = (tool: string, ...words: string[]) =>
  workspace.mcp(['call', `small.${tool}`, '--args', JSON.stringify(value), ...words]);

describe.each(['echo', 'pointer'])('--pick of the result of %s', (tool) => {
  test.each([
    ['a.b', 'x\n'],
    ['a', '{"b":"x","c.d":[{"id":1},{"id":2}]}\n'],
    ['a["c.d"][1].id', '2\n'],
    ['a["c.d"][*].id', '[1,2]\n'],
    ['a.*', '["x",[{"id":1},{"id":2}]]\n'],
    ['none', 'null\n'],
    ['text', '😀😀\n'],
  ])('%s', async (path, printed) => {
    expect(await call(tool, '--pick', path)).toEqual({ stdout: printed, stderr: '', code: 0 });
  });
});

test('--pick with --json prints JSON', async () => {
  expect((await call('pointer', '--pick', 'a.b', '--json')).stdout).toBe('"x"\n');
});

test.each([
  ['a.x', '"a" of the result has no "x"; it has b, c.d'],
  ['tex', 'The result has no "tex"; did you mean "text"?'],
  ['a["c.d"][2]', '"a.c.d" of the result has no [2]: it is a list of 2'],
  ['a.b.c', '"a.b" of the result has no "c": it is "x"'],
])('--pick %s names what there is', async (path, message) => {
  const { stderr, code } = await call('pointer', '--pick', path);
  expect(stderr).toBe(`${message}\n`);
  expect(code).toBe(5);
});

test('a result without JSON has nothing to pick', async () => {
  const { stderr, code } = await workspace.mcp(['call', 'small.pid', '--pick', 'a.b']);
  // The process id is a number in JSON.
  expect(stderr).toContain('has no "a": it is ');
  expect(code).toBe(5);
});

test('--pick of a text prints an integer as it is written', async () => {
  using fixed = new Workspace();
  const words = ['call', 'fix.echo', 'text={"ids":[9007199254740993,1]}', '--pick', 'ids'];
  expect((await fixed.mcp(words)).stdout).toBe('[9007199254740993,1]\n');
  expect((await fixed.mcp([...words, '--json'])).stdout).toBe('[9007199254740993,1]\n');
});

test('--max-chars cuts between characters, and says how much is missing', async () => {
  expect(await call('pointer', '--pick', 'text', '--max-chars', '3')).toMatchObject({
    stdout: '😀\n',
    stderr: '6 more characters: --max-chars\n',
  });
  const { stdout } = await call('pointer', '--max-chars', '10');
  expect(stdout).toBe('The answer\n\n\n');
});

test('wrong options are refused before the call', async () => {
  for (const [words, message] of [
    [['--max-chars', '0'], 'Invalid --max-chars: "0"; expected a whole number from 1'],
    [['--max-chars', '9', '--json'], 'Invalid --max-chars with --json'],
    [['--pick', 'a..b'], 'Invalid --pick: "a..b"; expected a path such as a.b'],
    [['--pick', ''], 'Invalid --pick: ""'],
    [['--pick', 'a[x'], 'Invalid --pick: "a[x"'],
    [['--pick', String.raw`["\x"]`], String.raw`Invalid --pick: "["\x"]"`],
    [['--pick', 'a', '--save', 'x'], 'Invalid --pick with --save'],
  ] as const) {
    const { stdout, stderr, code } = await call('pid', ...words);
    expect(stderr).toContain(message);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  }
});
