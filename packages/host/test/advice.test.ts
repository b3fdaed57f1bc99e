import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runProgram } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { program, Workspace } from './workspace.ts';

const refusing = createServer((_, response) => response.writeHead(401).end());
await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/mcp`;
const workspace = new Workspace({ token: { url, headers: { authorization: 'Bearer x' } }, open: { url } });
afterAll(() => {
  workspace[Symbol.dispose]();
  refusing.close();
});

test.each([
  ['call', 'token.x'],
  ['login', 'token'],
])('a refused header of the configuration is not a reason to log in: mcp %s %s', async (...words) => {
  const { stderr, code } = await workspace.mcp(words);
  expect(stderr).toMatch(/\n {2}check the "authorization" header: mcp --config \S+ config explain token\n$/);
  expect(code).toBe(3);
});

test('a login that fails does not advise to log in', async () => {
  const { stderr, code } = await workspace.mcp(['login', 'open', '--no-browser']);
  expect(stderr).toMatch(/\n {2}mcp --config \S+ doctor open shows each step of the login\n$/);
  expect(code).toBe(3);
});

test('a quoted command line after -- has no entry whose arguments could be changed', async () => {
  const { stderr } = await workspace.mcp(['call', 'x', '--', 'no-such-program -y x']);
  expect(stderr).toContain('\n  write "no-such-program -y x" without quotes, as several words after --\n');
});

test('a printed command has no secret of the command of --sampling', async () => {
  const { stderr } = await workspace.mcp(['--sampling', 'ask --api-key abc', 'call', 'fix.nope']);
  expect(stderr).toContain("--sampling 'ask --api-key <secret>' tools fix");
  expect(stderr).not.toContain('abc');
});

test.skipIf(process.platform === 'win32')('what npx has started is started again by npx', async () => {
  const bin = join(workspace.directory.root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(program, join(bin, 'mcp'));
  const { stderr } = await runProgram(join(bin, 'mcp'), ['nothing'], { env: workspace.env });
  expect(stderr).toContain('\n  npx -y @mcp/host --help\n');
});
