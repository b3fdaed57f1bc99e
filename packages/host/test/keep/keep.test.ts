import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runProgram } from '@mcp/test-kit';
import { hasTerminals, Terminal } from '../terminal.ts';
import { program } from '../workspace.ts';
import { KeepWorkspace } from './keep-workspace.ts';

function newWorkspace(): KeepWorkspace {
  const workspace = new KeepWorkspace();
  onTestFinished(() => workspace[Symbol.dispose]());
  return workspace;
}

test('mcp keep holds a server between commands, and mcp keep stop ends it', async () => {
  const workspace = newWorkspace();
  const { ended } = workspace.holdFifo();
  onTestFinished(async () => void (await workspace.mcp(['keep', 'stop'])));
  const none = 'No servers are held between commands; mcp --config';
  expect((await workspace.mcp(['keep', 'status'])).stderr).toContain(none);
  const begun = await Promise.all([workspace.mcp(['keep']), workspace.mcp(['keep'])]);
  for (const { code, stderr } of begun) {
    expect(stderr).toContain('Servers are held for 900 s after their last use; ');
    expect(code).toBe(0);
  }
  const { pid } = await workspace.where();
  expect((await workspace.where()).pid).toBe(pid);
  expect((await workspace.mcp(['keep', 'status'])).stdout).toBe(`old  idle  process ${pid}\n`);
  const stopped = { code: 0, stdout: '', stderr: 'All servers that were held have ended\n' };
  expect(await workspace.mcp(['keep', 'stop'])).toEqual(stopped);
  await ended;
  expect((await workspace.mcp(['keep', 'status'])).stderr).toContain(none);
});

describe('what a command prints is the same', () => {
  const [kept, plain] = [new KeepWorkspace(), new KeepWorkspace()];
  beforeAll(() => kept.keep());
  afterAll(() => {
    kept[Symbol.dispose]();
    plain[Symbol.dispose]();
  });

  test.each(
    [
      ['call', 'fix.echo', 'text=Hello'],
      ['--json', 'call', 'fix.picture'],
      ['call', 'fix.echo', 'text=old', '--revision', '2025-06-18'],
      ['call', 'fix.noisy', '--log', 'debug'],
      ['call', 'fix.noisy', '--log', 'debug', '--revision', '2025-11-25'],
      ['call', 'fix.fail'],
      ['call', 'old.nothing'],
      ['call', 'old.noise'],
      ['call', 'old.imitate'],
      ['call', 'missing.tool'],
      ['--json', 'tools'],
      ['show', 'fix'],
      [
        'call',
        'fix.ask',
        '--sampling',
        `echo '{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}'`,
      ],
    ].map((words): [string, string[]] => [words.join(' '), words]),
  )('mcp %s', async (_, words) => {
    const expected = await plain.mcp(words);
    const known = {
      ...expected,
      stderr: expected.stderr.replaceAll(plain.directory.base, kept.directory.base),
    };
    expect(await kept.mcp(words)).toEqual(known);
    expect(await kept.mcp(words)).toEqual(known);
  });
});

test('after a server has ended during a call, the next one is held', async () => {
  const workspace = newWorkspace();
  await workspace.keep();
  await workspace.mcp(['call', 'old.noise']);
  const { pid } = await workspace.where();
  expect((await workspace.where()).pid).toBe(pid);
});

test('mcp keep stop ends a running call, which says why', async () => {
  const workspace = newWorkspace();
  await workspace.keep();
  const running = workspace.mcp(['call', 'old.slow']);
  await expect.poll(() => workspace.isSlow, { timeout: 15_000 }).toBe(true);
  await workspace.mcp(['keep', 'stop']);
  expect((await running).stderr).toContain('The process of "mcp keep" has ended, and the server with it');
});

test('mcp keep and mcp keep stop print JSON', async () => {
  const workspace = newWorkspace();
  const json = async (...words: string[]) =>
    JSON.parse((await workspace.mcp(['--json', 'keep', ...words])).stdout) as unknown;
  expect(await json('stop')).toEqual({ stopped: false });
  expect(await json('--idle', '20')).toEqual({ running: true, idleSeconds: 20 });
  expect(await json('stop')).toEqual({ stopped: true });
});

test('mcp load measures a server of its own', async () => {
  const workspace = newWorkspace();
  await workspace.keep();
  const { stdout } = await workspace.mcp(['--json', 'load', 'old.where', '--for', '0.05']);
  expect(JSON.parse(stdout)).toMatchObject({ memory: { before: { processes: 1 } } });
});

test('another environment, directory, configuration or program is another server', async () => {
  const workspace = newWorkspace();
  await workspace.keep();
  const first = await workspace.where({ LANG: 'C' });
  expect(first).toMatchObject({ LANG: 'C', cwd: process.cwd(), umask: process.umask() });
  const { root } = workspace.directory;
  expect(await workspace.where({ LANG: 'C.UTF-8' })).toMatchObject({ LANG: 'C.UTF-8' });
  expect(await workspace.where({ LANG: 'C' }, root)).toMatchObject({ LANG: 'C', cwd: root });
  const { LANG, pid } = await workspace.where({}, root);
  expect(LANG).toBeUndefined();
  workspace.configure('changed');
  expect((await workspace.where({}, root)).pid).not.toBe(pid);
  const { pid: before } = await workspace.where({}, root);
  workspace.directory.put('old.cjs', `${workspace.directory.read('old.cjs')}\n`);
  expect((await workspace.where({}, root)).pid).not.toBe(before);
  const rooted = (directory: string) => workspace.mcp(['call', 'old.roots', '--root', directory]);
  expect((await rooted('/a')).stdout).toContain('file:///a');
  expect((await rooted('/b')).stdout).toContain('file:///b');
});

test('a server ends when its entry changes, and not with another change of its file', async () => {
  const workspace = newWorkspace();
  const { ended } = workspace.holdFifo();
  await workspace.keep();
  const { root } = workspace.directory;
  const { env } = workspace;
  const call = () => runProgram(program, ['--config', 'mcp.json', 'call', 'old.where'], { env, cwd: root });
  const first = await call();
  const { mcpServers } = JSON.parse(workspace.directory.read('mcp.json')) as { mcpServers: object };
  workspace.directory.put('mcp.json', JSON.stringify({ mcpServers: { ...mcpServers, more: {} } }));
  workspace.directory.put('mcp.json', '{');
  workspace.directory.put('mcp.json', JSON.stringify({ mcpServers: { ...mcpServers, more: {} } }));
  expect(await call()).toEqual(first);
  workspace.directory.put('mcp.json', JSON.stringify({ mcpServers: {} }));
  await ended;
});

test('servers and the process that holds them end by themselves', async () => {
  const workspace = newWorkspace();
  const { ended } = workspace.holdFifo();
  const keeper = await workspace.keep('--idle', '1.5');
  await workspace.where();
  const exited = once(keeper, 'exit');
  await ended;
  expect(await exited).toEqual([0, null]);
  expect(readdirSync(join(workspace.directory.base, 'state/mcp/keep'))).toEqual([]);
});

test('two commands at the same time have a server each', async () => {
  const workspace = newWorkspace();
  await workspace.keep();
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, index) => workspace.mcp(['call', 'fix.echo', `text=${index}`])),
  );
  expect(answers.map(({ stdout }) => stdout)).toEqual(['0\n', '1\n', '2\n', '3\n']);
  const { stdout } = await workspace.mcp(['keep', 'status']);
  expect(stdout).toMatch(/^fix {2}idle {2}process \d+\n$/);
});

test('after SIGKILL of the holding process a running call fails, the server ends, and the next call works', async () => {
  const workspace = newWorkspace();
  const { ended } = workspace.holdFifo();
  const keeper = await workspace.keep();
  const running = workspace.mcp(['call', 'old.slow']);
  await expect.poll(() => workspace.isSlow, { timeout: 15_000 }).toBe(true);
  keeper.kill('SIGKILL');
  const { code, stderr } = await running;
  expect(stderr).toContain('old: tools/call: The process of "mcp keep" has ended, and the server with it');
  expect(code).toBe(4);
  await ended;
  const { stdout } = await workspace.mcp(['call', 'fix.echo', 'text=Hello']);
  expect(stdout).toBe('Hello\n');
  // Another one takes the place of its socket.
  await workspace.keep();
  expect((await workspace.mcp(['keep', 'status'])).stderr).toContain('No server is held');
});

test('a server ends with the command that is killed during a call', async () => {
  const workspace = newWorkspace();
  const { ended } = workspace.holdFifo();
  await workspace.keep();
  const command = spawn('sh', ['-c', `exec ${workspace.commandLine('call', 'old.slow')}`], workspace);
  await expect.poll(() => workspace.isSlow, { timeout: 15_000 }).toBe(true);
  expect((await workspace.mcp(['keep', 'status'])).stdout).toMatch(/^old {2}in use {2}process \d+\n$/);
  command.kill('SIGKILL');
  await ended;
});

describe('a socket is not used', () => {
  const address = (workspace: KeepWorkspace) => {
    const directory = join(workspace.directory.base, 'state/mcp/keep');
    return { directory, socket: join(directory, readdirSync(directory)[0]!) };
  };

  test.each<[string, (at: { directory: string; socket: string }) => void]>([
    ['that others can open', ({ socket }) => chmodSync(socket, 0o666)],
    ['in a directory of others', ({ directory }) => chmodSync(directory, 0o755)],
    ['of another version', ({ directory, socket }) => renameSync(socket, join(directory, '0.0.1.sock'))],
    ['of another user', ({ socket }) => chownSync(socket, 12_345, 12_345)],
  ])('%s', async (name, spoil) => {
    // Only root can give a file away.
    if (name === 'of another user' && process.getuid?.() !== 0) return;
    const workspace = newWorkspace();
    await workspace.keep();
    const { pid } = await workspace.where();
    spoil(address(workspace));
    expect((await workspace.where()).pid).not.toBe(pid);
  });

  test('of a process that does not answer', async () => {
    const workspace = newWorkspace();
    const keeper = await workspace.keep();
    const { pid } = await workspace.where();
    keeper.kill('SIGSTOP');
    expect((await workspace.where()).pid).not.toBe(pid);
  });

  test('in a directory to which others have access, nor made there', async () => {
    const workspace = newWorkspace();
    await workspace.keep();
    const { directory, socket } = address(workspace);
    await workspace.mcp(['keep', 'stop']);
    chmodSync(directory, 0o777);
    const { stderr, code } = await workspace.mcp(['keep']);
    expect(stderr).toBe(`Others have access to "${directory}"; delete it, and run this command again\n`);
    expect(code).toBe(1);
    expect(existsSync(socket)).toBe(false);
  });
});

describe.skipIf(!hasTerminals)('in a terminal', () => {
  test.each([['fix.form'], ['fix.form', '--revision', '2025-11-25'], ['old.ask']])(
    'the question of a kept server is asked there: %s %s %s',
    async (tool, ...revision) => {
      const workspace = newWorkspace();
      await workspace.keep();
      for (const colour of ['blue', 'red']) {
        const terminal = new Terminal(workspace.commandLine('call', tool, ...revision), workspace);
        await terminal.shows(/colour.*: /);
        terminal.type(`${colour}\r${tool === 'old.ask' ? '' : '\r'}`);
        await terminal.shows(`"colour":"${colour}"`);
        expect(await terminal.ended()).toBe(0);
      }
      const { stdout } = await workspace.mcp(['keep', 'status']);
      expect(stdout.split('\n')).toHaveLength(2);
    },
  );

  test('Ctrl-C cancels the call, and the server stays for the next one', async () => {
    const workspace = newWorkspace();
    await workspace.keep();
    const terminal = new Terminal(workspace.commandLine('call', 'fix.wait'), workspace);
    await terminal.shows('waiting');
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(130);
    // The command does not wait for its server.
    await expect.poll(() => existsSync(`${workspace.watched}.cancelled`), { timeout: 15_000 }).toBe(true);
    const status = await workspace.mcp(['keep', 'status']);
    expect(status.stdout).toContain('fix  idle');
    const next = new Terminal(workspace.commandLine('call', 'fix.echo', 'text=Hello'), workspace);
    await next.shows('Hello\r\n');
    expect(await next.ended()).toBe(0);
    expect(await workspace.mcp(['keep', 'status'])).toEqual(status);
  });

  test('what a server still sends about a cancelled call does not reach the next command', async () => {
    const workspace = newWorkspace();
    await workspace.keep();
    const cancelled = new Terminal(workspace.commandLine('call', 'stateless.slow'), workspace);
    await cancelled.shows('half');
    cancelled.type('\u0003');
    expect(await cancelled.ended()).toBe(130);
    const { stdout } = await workspace.mcp(['keep', 'status']);
    const next = new Terminal(workspace.commandLine('call', 'stateless.where'), workspace);
    const shown = await next.shows('"umask"');
    expect(shown).not.toContain('too late');
    // The same process has answered.
    expect(stdout).toContain(`process ${/"pid":(\d+)/.exec(shown)?.[1]}`);
    expect(await next.ended()).toBe(0);
  });

  test('Ctrl-C ends a server of an older revision that goes on with the call', async () => {
    const workspace = newWorkspace();
    const { ended } = workspace.holdFifo();
    await workspace.keep();
    const terminal = new Terminal(workspace.commandLine('call', 'old.slow'), workspace);
    await terminal.shows('half');
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(130);
    await ended;
  });
});
