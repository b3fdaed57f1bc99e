import { afterAll, expect, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { Workspace } from './workspace.ts';

const noise = `for (let n = 1; n <= 92; n++) console.error('line ' + n);`;
const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());
const small = smallServer(workspace.directory);
const script = workspace.directory.put('noisy.cjs', `${noise}\nrequire(${JSON.stringify(small.args[0])});\n`);
const dying = workspace.directory.put('dying.cjs', `${noise}\nprocess.exitCode = 3;\n`);
const entries = {
  noisy: { ...small, args: [script] },
  dying: { ...small, args: [dying] },
};
workspace.directory.put('mcp.json', JSON.stringify({ mcpServers: entries }));

test.each([
  [['tools', 'noisy']],
  [['ping', 'noisy']],
  [['call', 'noisy.pid']],
  [['--json', 'tools', 'noisy']],
])('what a server writes on stderr is not printed while it works: mcp %j', async (args) => {
  expect(await workspace.mcp(args)).toMatchObject({ code: 0, stderr: '' });
});

test('--verbose prints all of it', async () => {
  const { code, stderr } = await workspace.mcp(['--verbose', 'ping', 'noisy']);
  expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 0,
    lines: Array.from({ length: 92 }, (_, n) => `noisy: line ${n + 1}`),
  });
});

test('of a server that fails, the last lines are printed, and those of no other', async () => {
  const { code, stderr } = await workspace.mcp(['ping']);
  expect(code).toBe(4);
  expect(stderr.trimEnd().split('\n')).toEqual(Array.from({ length: 50 }, (_, n) => `dying: line ${n + 43}`));
});

test('with --json, stderr has nothing but the error', async () => {
  const { stderr } = await workspace.mcp(['--json', 'ping', 'dying']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { server: 'dying', exitCode: 4 } });
});
