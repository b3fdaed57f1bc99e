import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { hasTerminals, Terminal } from '../packages/host/test/terminal.ts';
import { quoted } from '../packages/host/test/workspace.ts';
import { Greeter } from './greeter.ts';
import { repository } from './server-program.ts';

const program = join(repository, 'packages/host/dist/main.cjs');

/** A user with a browser that accepts every login, and the servers of a configuration. */
function user(url: string) {
  const home = new TemporaryDirectory('mcp-login');
  onTestFinished(() => home[Symbol.dispose]());
  const browser = home.put(
    'browser.sh',
    `#!/bin/sh\nexec "${process.execPath}" -e "fetch(process.argv[1])" "$1"\n`,
  );
  chmodSync(browser, 0o755);
  const file = home.put('mcp.json', JSON.stringify({ mcpServers: { greeter: { type: 'http', url } } }));
  const state = join(home.base, 'state');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home.base,
    XDG_STATE_HOME: state,
    XDG_CACHE_HOME: join(home.base, 'cache'),
    BROWSER: browser,
  };
  return {
    file,
    directory: join(state, 'mcp/authorization'),
    terminal: (...args: string[]) => {
      const words = [process.execPath, program, '--config', file, ...args];
      return new Terminal(words.map(quoted).join(' '), { env, columns: 200 });
    },
    mcp: (...args: string[]) => runProgram(program, ['--config', file, ...args], { env }),
  };
}

test('mcp login opens the browser once, and later commands use the token until mcp logout', async () => {
  await using greeter = await Greeter.start();
  const { mcp, directory, file } = user(greeter.url);

  const refused = await mcp('call', 'greeter.greet');
  expect(refused).toMatchObject({ stdout: '', code: 3 });
  expect(refused.stderr).toContain(`mcp --config ${file} login greeter`);
  expect(await mcp('login', 'greeter')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Logged in at greeter'),
  });
  expect(await mcp('call', 'greeter.greet')).toEqual({ stdout: 'Hello\n', stderr: '', code: 0 });
  const stored = () => readdirSync(directory).map((name) => join(directory, name));
  const text = () =>
    stored()
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
  for (const path of stored()) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(text()).toContain('access-');

  expect((await mcp('logout', 'greeter')).stderr).toBe('Deleted the tokens of greeter\n');
  expect(text()).not.toContain('access-');
  expect((await mcp('call', 'greeter.greet')).code).toBe(3);

  await mcp('login', 'greeter');
  for (const path of stored()) writeFileSync(path, 'damaged');
  expect((await mcp('logout', 'greeter')).stderr).toContain('is damaged; it was moved to');
});

test.skipIf(!hasTerminals)('in a terminal, a call that requires a login asks whether to log in', async () => {
  await using greeter = await Greeter.start();
  const { terminal, directory } = user(greeter.url);

  const refused = terminal('call', 'greeter.greet');
  await refused.shows(`${greeter.url} requires a login. Log in in the browser? [Y/n] `);
  refused.type('n\n');
  await refused.shows(/login greeter/);
  expect(await refused.ended()).toBe(3);
  expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([]);

  const accepted = terminal('call', 'greeter.greet');
  await accepted.shows('[Y/n] ');
  accepted.type('\n');
  await accepted.shows(/Log in at http.*Hello\r\n/s);
  expect(await accepted.ended()).toBe(0);

  const later = terminal('call', 'greeter.greet');
  expect(await later.shows('Hello')).toBe('Hello');
  expect(await later.ended()).toBe(0);
});

test('three processes that need a new token at the same time spend one refresh token', async () => {
  await using greeter = await Greeter.start({ refusalsBeforeRefresh: 3 });
  const { mcp } = user(greeter.url);
  await mcp('login', 'greeter');
  greeter.expire();
  const calls = await Promise.all([1, 2, 3].map(() => mcp('call', 'greeter.greet')));
  expect(calls).toEqual(calls.map(() => ({ stdout: 'Hello\n', stderr: '', code: 0 })));
  expect(greeter).toMatchObject({ refreshes: 1, spent: 0 });
});
