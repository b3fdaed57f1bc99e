import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serverEnvironment } from '../../src/transports/spawn/environment.ts';
import { commandLine } from '../../src/transports/spawn/server-command.ts';
import { windowsCommand } from '../../src/transports/spawn/windows-command.ts';
import { fixtureProgram } from '../fixtures/fixture-program.ts';
import { Recording } from './recording.ts';
import { script, sessionScript, statelessScript } from './scripted-server.ts';

// Each server is given its time to end.
vi.setConfig({ testTimeout: 120_000 });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Resolves when `condition` holds. Only the system knows the processes of another process, and sends no
 * event.
 */
async function poll(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const pidOf = async (client: Client) => Number((await client.request('pid'))['pid']);
const answersPid = `on.pid = () => ({ pid: process.pid });`;

test('LIFE-14: closing ends a server that ignores the end of its input and SIGTERM', async () => {
  const stubborn = `${answersPid} process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
  const client = await Client.connect(statelessScript(stubborn));
  const pid = await pidOf(client);
  await client.close();
  expect(isAlive(pid)).toBe(false);
});

test('closing sends no signal to a server that ends by itself', async () => {
  const server = spawnServer(
    script(`Object.assign(on, stateless); process.stdin.on('end', () => process.exit(3));`),
  );
  const client = await Client.connect(server.channel);
  await client.close();
  expect(await server.exited).toEqual({ code: 3, signal: null });
});

test('closing ends the child processes of a server, such as those of npx', async () => {
  const parent = `on.pid = () => ({ pid: child.pid });
    const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' });
    process.stdin.on('end', () => process.exit());`;
  const client = await Client.connect(statelessScript(parent));
  const pid = await pidOf(client);
  expect(isAlive(pid)).toBe(true);
  await client.close();
  await poll(() => !isAlive(pid));
});

test('closing takes a bounded time if the server has stopped reading', async () => {
  const stuck = `on['tools/call'] = () => { process.stdin.pause(); lines.pause(); return complete; }; setInterval(() => {}, 1000);`;
  const client = await Client.connect(statelessScript(stuck));
  await client.callTool('any');
  for (let n = 0; n < 50; n++) client.notify('x', { filler: 'x'.repeat(100_000) });
  const started = performance.now();
  await client.close();
  expect(performance.now() - started).toBeLessThan(3_000);
});

test('the end of a host ends a server that ignores the end of its input', async () => {
  const host = fixtureProgram('../client/exiting-host.ts');
  const child = spawn(process.execPath, [host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  await once(child, 'exit');
  await poll(() => !isAlive(pid));
});

test('a SIGKILL of a host ends a server that ignores SIGTERM and the end of its input', async () => {
  const host = fixtureProgram('../client/killed-host.ts');
  const child = spawn(process.execPath, [host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await poll(() => !isAlive(pid));
});

test('a SIGKILL of a host ends a server that has written nothing', async (context) => {
  context.skip(process.platform !== 'linux', 'Requires /proc');
  const host = fixtureProgram('../client/silent-host.ts');
  const child = spawn(process.execPath, [host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  const children = `/proc/${child.pid}/task/${child.pid}/children`;
  // The server, and the shell that ends it.
  await poll(() => readFileSync(children, 'utf8').trim().split(' ').length === 2);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await poll(() => !isAlive(pid));
});

test('a command that exits on an unknown first request is started again without the probe', async () => {
  const picky = `const answerFirst = take; let first = true;
    lines.removeAllListeners('line');
    lines.on('line', (line) => {
      if (first && JSON.parse(line).method !== 'initialize') process.exit(1);
      first = false;
      answerFirst(JSON.parse(line));
    });`;
  await using client = await Client.connect(sessionScript(picky));
  expect(client.revision).toBe('2025-11-25');
  expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
});

test('a server gets a short environment, its own variables and those of inheritEnv', async () => {
  process.env['CLIENT_TEST_SECRET'] = 'secret';
  process.env['CLIENT_TEST_NAMED'] = 'named';
  onTestFinished(() => {
    delete process.env['CLIENT_TEST_SECRET'];
    delete process.env['CLIENT_TEST_NAMED'];
  });
  const answersEnv = `on.env = () => ({ env: process.env });`;
  const server = statelessScript(answersEnv, { env: { OWN: 'own' }, inheritEnv: ['CLIENT_TEST_NAMED'] });
  await using client = await Client.connect(server);
  const { env } = await client.request('env');
  expect(env).toMatchObject({ PATH: process.env['PATH'], OWN: 'own', CLIENT_TEST_NAMED: 'named' });
  expect(env).not.toHaveProperty('CLIENT_TEST_SECRET');
});

test('the short environment ignores the case of names on Windows, and omits shell functions', () => {
  const env = { Path: 'C:\\', APPDATA: 'a', Secret: 's' };
  expect(serverEnvironment({}, [], { platform: 'win32', env })).toEqual({ Path: 'C:\\', APPDATA: 'a' });
  const shell = { PATH: '() { :; }; echo', HOME: '/h' };
  expect(serverEnvironment({}, [], { platform: 'linux', env: shell })).toEqual({ HOME: '/h' });
});

test('lines on stderr are passed to a function, and are no error', async () => {
  const lines = new Recording<string>();
  const loud = `on.shout = () => { console.error('ERROR: all is well'); return {}; };`;
  await using client = await Client.connect(statelessScript(loud, { stderr: lines.add }));
  await client.request('shout');
  await lines.has(1);
  expect(lines.events).toEqual(['ERROR: all is well']);
  expect(await client.callTool('any')).toMatchObject({ content: [{ text: 'done' }] });
});

test('the name of a command omits the values of arguments that look like secrets', () => {
  const args = ['--api-key=abc', '--token', 'def', '-y', 'server'];
  expect(commandLine({ command: 'npx', args })).toBe('npx --api-key=… --token … -y server');
});

test.each<[string, readonly string[], string]>([
  ['npx', ['-y', 'a package'], '"npx ^"-y^" ^"a^ package^""'],
  ['npx', ['say "hi" & del'], String.raw`"npx ^"say^ \^"hi\^"^ ^&^ del^""`],
  ['npx', ['%PATH%', 'c:\\dir\\'], String.raw`"npx ^"^%PATH^%^" ^"c:\dir\\^""`],
  [
    'C:\\x\\node_modules\\.bin\\tool.cmd',
    ['a&b'],
    String.raw`"C:\x\node_modules\.bin\tool.cmd ^^^"a^^^&b^^^""`,
  ],
])('Windows starts %s %j by cmd.exe with each character escaped', (command, args, line) => {
  expect(windowsCommand(command, args)).toEqual({
    command: 'cmd.exe',
    args: ['/d', '/s', '/c', line],
    verbatim: true,
  });
});

test('Windows starts an .exe by itself, and refuses line breaks in what cmd.exe would read', () => {
  expect(windowsCommand('node.exe', ['-e', 'a\nb'])).toMatchObject({ command: 'node.exe', verbatim: false });
  expect(() => windowsCommand('npx', ['a\nb'])).toThrow('cmd.exe takes no line breaks');
});
