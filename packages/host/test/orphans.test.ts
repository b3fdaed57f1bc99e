import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { smallServer } from './small-server.ts';

// Each server is given its time to end.
vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** A file that a process opens, and an event for the end of all processes that hold it open. */
function fifo(directory: TemporaryDirectory, name: string) {
  const path = join(directory.base, `${name}.fifo`);
  execFileSync('mkfifo', [path]);
  const ended = once(createReadStream(path).resume(), 'end');
  return { path, ended };
}

test('SIGKILL of the host ends its servers, also behind sh and npx, where they ignore SIGTERM and stdin', async () => {
  const directory = new TemporaryDirectory('host-orphans');
  onTestFinished(() => directory[Symbol.dispose]());
  const launchers = {
    direct: (command: string) => ['sh', '-c', `exec ${command}`],
    // A shell that stays: the server is its child.
    sh: (command: string) => ['sh', '-c', `${command}; exit`],
    npx: (command: string) => ['npx', '--offline', '-c', command],
  };
  const held = Object.keys(launchers).map((name) => fifo(directory, name));
  const entries = Object.entries(launchers).map(([name, launch], index) => {
    const { command, args, env } = smallServer(directory, { FIFO: held[index]!.path, TOOLS: `of-${name}` });
    const [first, ...rest] = launch(`'${command}' '${args.join("' '")}'`);
    return [name, { command: first, args: rest, env }] as const;
  });
  // The host lives until it is killed, because one server never answers.
  const hangs = { command: 'sh', args: ['-c', 'sleep 60'] };
  const mcpServers = { ...Object.fromEntries(entries), hangs };
  const file = directory.put('mcp.json', JSON.stringify({ mcpServers }));
  const host = spawn(process.execPath, [program, '--config', file, 'tools'], {
    // The directory has no file that npx reads, which would need consent.
    cwd: directory.root,
    env: { PATH: process.env['PATH'], HOME: directory.base },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  await new Promise<void>((resolve) => {
    host.stdout.on('data', (chunk) => {
      printed += String(chunk);
      if (Object.keys(launchers).every((name) => printed.includes(`of-${name}`))) resolve();
    });
  });
  const exited = once(host, 'exit');
  host.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  await Promise.all(held.map(({ ended }) => ended));
});

test('a call that times out ends mcp at once, and its server after it', async () => {
  const directory = new TemporaryDirectory('host-timeout');
  onTestFinished(() => directory[Symbol.dispose]());
  const { path, ended } = fifo(directory, 'server');
  const s = smallServer(directory, { FIFO: path, HANG: 'call' });
  const file = directory.put('mcp.json', JSON.stringify({ mcpServers: { s } }));
  let isOver = false;
  void ended.then(() => (isOver = true));
  const env = { PATH: process.env['PATH'] ?? '', HOME: directory.base };
  const words = ['--config', file, 'call', 's.pid', '--timeout', '0.2'];
  const { stderr, code } = await runProgram(program, words, { env });
  expect({ code, stderr, isOver }).toEqual({
    code: 6,
    stderr: expect.stringMatching(/^s: .* within 200 ms\n$/) as string,
    isOver: false,
  });
  await ended;
});
