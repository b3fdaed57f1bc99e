import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from './small-server.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/**
 * Projects with a server of their own each, one user, and how to run `mcp` in a project
 * behind a shell command.
 */
function projects(...names: readonly string[]) {
  const directory = new TemporaryDirectory('host-state');
  onTestFinished(() => directory[Symbol.dispose]());
  for (const name of names) {
    mkdirSync(join(directory.root, name));
    const mcpServers = { [name]: smallServer(directory, { TOOLS: 'pid' }) };
    writeFileSync(join(directory.root, name, '.mcp.json'), JSON.stringify({ mcpServers }));
  }
  const env = {
    PATH: process.env['PATH'],
    HOME: join(directory.base, 'home'),
    XDG_STATE_HOME: join(directory.base, 'state'),
    XDG_CACHE_HOME: join(directory.base, 'cache'),
  };
  const mcp = async (
    name: string,
    args: readonly string[],
    { shell = '', ...variables }: { readonly shell?: string; readonly [variable: string]: string } = {},
  ) => {
    const child = spawn('sh', ['-c', `${shell} exec "$0" "$@"`, process.execPath, program, ...args], {
      cwd: join(directory.root, name),
      env: { ...env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { stdout, stderr, code: code as unknown };
  };
  return { directory, mcp };
}

test('with a full disk, a command warns that nothing is kept, and has its result', async () => {
  const { mcp } = projects('one');
  const { stdout, stderr, code } = await mcp('one', ['--yes', 'call', 'one.pid'], { shell: 'ulimit -f 0;' });
  expect(stdout).toMatch(/^\d+\n$/);
  expect(stderr).toMatch(/Cannot write to ".*state\/mcp\/trust\/pins": EFBIG: file too large\n/);
  expect(code).toBe(0);
});

test('with directories that cannot be created, a command warns that nothing is kept, and has its result', async () => {
  const { directory, mcp } = projects('one');
  const file = directory.put('file');
  const variables = { XDG_STATE_HOME: file, XDG_CACHE_HOME: file };
  const { stdout, stderr, code } = await mcp('one', ['--yes', 'call', 'one.pid'], variables);
  expect(stdout).toMatch(/^\d+\n$/);
  expect(stderr).toContain(`Cannot write to "${file}/mcp/trust/consents": ENOTDIR: not a directory\n`);
  expect(code).toBe(0);
});

test('hosts that run at the same time keep the consents and tools of each other', async () => {
  const names = ['one', 'two', 'three'];
  const { mcp } = projects(...names);
  const agreed = await Promise.all(names.map((name) => mcp(name, ['--yes', 'call', `${name}.pid`])));
  expect(agreed.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']));
  const again = await Promise.all(names.map((name) => mcp(name, ['tools', '--cached', '--json'])));
  expect(again.map(({ stdout }) => Object.keys(JSON.parse(stdout) as object))).toEqual([
    ['one'],
    ['two'],
    ['three'],
  ]);
  const calls = await Promise.all(names.map((name) => mcp(name, ['call', `${name}.pid`])));
  expect(calls.map(({ code }) => code)).toEqual([0, 0, 0]);
});
