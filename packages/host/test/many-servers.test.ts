import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from './small-server.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/**
 * A configuration file of small servers, each with the environment that is given, and how
 * to run `mcp` with it.
 */
function configured(servers: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const directory = new TemporaryDirectory('host-many');
  onTestFinished(() => directory[Symbol.dispose]());
  const entries = Object.entries(servers).map(([name, env]) => [name, smallServer(directory, env)]);
  const file = directory.put('mcp.json', JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(directory.base, 'home'),
    XDG_STATE_HOME: join(directory.base, 'state'),
    XDG_CACHE_HOME: join(directory.base, 'cache'),
  };
  const mcp = (...args: string[]) => runProgram(program, ['--config', file, ...args], { env });
  return { directory, env, file, mcp };
}

test('mcp ping prints each server as soon as it has answered', async () => {
  const { env, file } = configured({ hangs: { HANG: 'handshake' }, a: {}, 'long-name': {} });
  const child = spawn(process.execPath, [program, '--config', file, 'ping'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(lines.toSorted().map((line) => line.replace(/ \d+ ms/, ' 1 ms'))).toEqual([
    'a          2025-11-25  1 ms small 1',
    'long-name  2025-11-25  1 ms small 1',
  ]);
  expect(await ended).toEqual([130, null]);
});

test('the tools of the others are printed while one server hangs, and Ctrl-C ends the command', async () => {
  const { env, file } = configured({
    hangs: { HANG: 'handshake' },
    a: { TOOLS: 'one' },
    b: { TOOLS: 'two' },
  });
  const child = spawn(process.execPath, [program, '--config', file, 'tools'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      if (printed.includes('one') && printed.includes('two')) resolve();
    });
  });
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exited).toEqual([130, null]);
});

test('--cached shows the lists of the last time, says how old they are, and starts nothing', async () => {
  const { directory, mcp } = configured({ a: { TOOLS: 'one two' }, b: {} });
  expect((await mcp('tools', 'a')).stdout).toMatch(/^a\n/);
  directory.put('small-server.cjs', `require('node:fs').writeFileSync(__dirname + '/started', '')`);
  const text = await mcp('tools', 'a', '--cached');
  expect(text.stdout).toMatch(/^a {2}\(cached, \d+ s old\)\n +one/);
  const { stdout, code } = await mcp('--json', 'tools', '--cached');
  expect(JSON.parse(stdout)).toEqual({
    a: {
      tools: [expect.objectContaining({ name: 'one' }), expect.objectContaining({ name: 'two' })],
      _meta: { cachedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    },
    b: { error: 'There is no cached list of the server "b"' },
  });
  expect(code).toBe(4);
  expect((await mcp('list')).stdout).toMatch(/a +user +2 tools, \d+ s ago +.*mcp\.json:1\nb +user {3}/);
  expect(readdirSync(directory.root)).not.toContain('started');
});

test('a shell continues with a configuration that changes, and keeps the servers that did not', async () => {
  const { directory, env, file } = configured({ same: {}, other: {} });
  const child = spawn(process.execPath, [program, '--config', file, 'shell'], { env });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (tool: string) => {
    child.stdin.write(`call ${tool}\n`);
    return String((await answers.next()).value);
  };
  const [same, other] = [await call('same.pid'), await call('other.pid')];
  const notes = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  const mcpServers = { same: smallServer(directory), other: smallServer(directory, { A: '1' }) };
  directory.put('mcp.json', JSON.stringify({ mcpServers }));
  expect((await notes.next()).value).toBe('Configuration: restarted other');
  expect(await call('same.pid')).toBe(same);
  expect(await call('other.pid')).not.toBe(other);
  const exited = once(child, 'exit');
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
});
