import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { program, Workspace } from './workspace.ts';

const filesystem = fileURLToPath(new URL('../../../servers/filesystem/dist/main.cjs', import.meta.url));

/** `mcp watch`, line by line. */
class Watch {
  readonly child;
  readonly stdout;
  readonly stderr;
  readonly ended;

  constructor(workspace: Workspace, ...args: string[]) {
    this.child = spawn(process.execPath, [program, '--config', workspace.configuration, 'watch', ...args], {
      env: workspace.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
    this.stdout = lines(this.child.stdout);
    this.stderr = lines(this.child.stderr);
    this.ended = once(this.child, 'exit') as Promise<[number | null]>;
  }

  /** Waits for a line on stderr. */
  async notes(part: string): Promise<void> {
    for (;;) {
      const { value, done } = await this.stderr.next();
      if (done) throw new Error(`mcp ended without "${part}"`);
      if (String(value).includes(part)) return;
    }
  }

  async line(): Promise<string> {
    return String((await this.stdout.next()).value);
  }
}

function lines(stream: NodeJS.ReadableStream): AsyncIterator<string> {
  return createInterface({ input: stream })[Symbol.asyncIterator]();
}

function workspaceWithFiles(): Workspace {
  const workspace = new Workspace();
  onTestFinished(() => workspace[Symbol.dispose]());
  configure(workspace, {});
  return workspace;
}

/** Replaces the configuration as editors do; `env` is that of the server `fix`. */
function configure(workspace: Workspace, env: Readonly<Record<string, string>>): void {
  const { mcpServers } = JSON.parse(readFileSync(workspace.configuration, 'utf8')) as {
    mcpServers: { fix: object };
  };
  const { root } = workspace.directory;
  const files = { command: process.execPath, args: [filesystem, root] };
  const text = JSON.stringify({ mcpServers: { fix: { ...mcpServers.fix, env }, files } });
  writeFileSync(`${workspace.configuration}.new`, text);
  renameSync(`${workspace.configuration}.new`, workspace.configuration);
}

test('changes of several servers are lines of one process, as server and URI', async () => {
  const workspace = workspaceWithFiles();
  const uri = `file://${workspace.directory.put('a.txt', 'one')}`;
  const watch = new Watch(workspace, 'fix', 'note:///first', `files:${uri}`, '--count', '2');
  await watch.notes('watching');
  await watch.notes('watching');
  writeFileSync(workspace.watched, 'changed\n');
  expect(await watch.line()).toBe('fix note:///first');
  workspace.directory.put('a.txt', 'two');
  expect(await watch.line()).toBe(`files ${uri}`);
  expect(await watch.ended).toEqual([0, null]);
});

test('a server that is killed is started again, and its changes and --exec continue', async () => {
  const workspace = workspaceWithFiles();
  const pid = join(workspace.directory.base, 'pid');
  configure(workspace, { PID_FILE: pid });
  const watch = new Watch(workspace, 'fix', 'note:///first', '--exec', 'echo "ran for $MCP_URI"');
  await watch.notes('watching fix');
  process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  // The host may have missed a change, and so reports one.
  expect(await watch.line()).toBe('fix note:///first');
  expect(await watch.line()).toBe('ran for note:///first');
  writeFileSync(workspace.watched, 'changed\n');
  expect(await watch.line()).toBe('fix note:///first');
  expect(await watch.line()).toBe('ran for note:///first');
  watch.child.kill('SIGINT');
  expect(await watch.ended).toEqual([130, null]);
});

test('a changed configuration restarts its server, and the watch continues', async () => {
  const workspace = workspaceWithFiles();
  const watch = new Watch(workspace, 'fix', 'note:///first', '--count', '1');
  await watch.notes('watching fix');
  configure(workspace, { CHANGED: 'yes' });
  await watch.notes('watching fix');
  writeFileSync(workspace.watched, 'changed\n');
  expect(await watch.line()).toBe('fix note:///first');
  expect(await watch.ended).toEqual([0, null]);
});

test('the watch continues when a changed configuration leaves it without a server, and follows the next change', async () => {
  const workspace = workspaceWithFiles();
  const before = readFileSync(workspace.configuration, 'utf8');
  const replace = (text: string) => {
    writeFileSync(`${workspace.configuration}.new`, text);
    renameSync(`${workspace.configuration}.new`, workspace.configuration);
  };
  const watch = new Watch(workspace, 'fix', 'note:///first', '--count', '1');
  await watch.notes('watching');
  replace(JSON.stringify({ mcpServers: { fix: { command: '/nowhere/server' } } }));
  await watch.notes('fix: cannot be started');
  replace('{"mcpServers":{}}');
  await watch.notes('The configuration no longer names the server "fix"');
  replace(before);
  await watch.notes('watching fix');
  writeFileSync(workspace.watched, 'changed\n');
  expect(await watch.line()).toBe('fix note:///first');
  expect(await watch.ended).toEqual([0, null]);
});

test('--exec runs one command at a time, coalesces changes meanwhile, and is killed after its timeout', async () => {
  const workspace = workspaceWithFiles();
  const log = join(workspace.directory.base, 'log');
  const gate = join(workspace.directory.base, 'gate');
  const exec = `echo "$MCP_SERVER $MCP_URI $MCP_CHANGES" >> '${log}'; while [ ! -e '${gate}' ]; do sleep 0.02; done`;
  const watch = new Watch(workspace, 'fix', 'note:///first', '--count', '3', '--exec', exec);
  await watch.notes('watching fix');
  for (const text of ['one', 'two', 'three']) {
    writeFileSync(workspace.watched, text);
    await watch.line();
  }
  writeFileSync(gate, '');
  expect(await watch.ended).toEqual([0, null]);
  expect(readFileSync(log, 'utf8')).toBe('fix note:///first 1\nfix note:///first 2\n');

  const slow = new Watch(
    workspace,
    'fix',
    'note:///first',
    '--count',
    '1',
    '--exec',
    'sleep 600',
    '--exec-timeout',
    '0.2',
  );
  await slow.notes('watching fix');
  writeFileSync(workspace.watched, 'four');
  await slow.notes('The command of --exec was killed after 0.2 seconds');
  expect(await slow.ended).toEqual([0, null]);
});

test('a server that cannot be watched is a warning beside the others, and exit code 4', async () => {
  const workspace = workspaceWithFiles();
  const watch = new Watch(workspace, 'fix', 'note:///first', 'files:file:///outside/x', '--count', '1');
  await watch.notes('files: subscriptions/listen: ');
  writeFileSync(workspace.watched, 'changed\n');
  expect(await watch.line()).toBe('fix note:///first');
  expect(await watch.ended).toEqual([4, null]);
});

test.each([
  [[], 'Nothing to watch; expected <server> <uri…>'],
  [['fix'], 'Nothing to watch of "fix"'],
  [['fxi', 'note:///first'], 'There is no server "fxi"; did you mean "fix"?'],
])('mcp watch %j is refused with exit code 1', async (args, message) => {
  const workspace = workspaceWithFiles();
  const { stderr, code } = await workspace.mcp(['watch', ...args]);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});

test('--lists prints a line for each list of a server that changes', async () => {
  const directory = new TemporaryDirectory('watch-lists');
  onTestFinished(() => directory[Symbol.dispose]());
  const script = directory.put(
    'lists.cjs',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} };
      const result = { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'l', version: '1' } };
      if (method === 'initialize') send({ id, result });
      else if (id !== undefined) send({ id, error: { code: -32601, message: 'no' } });
    });
    process.on('SIGUSR2', () => {
      for (const list of ['tools', 'prompts'])
        console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/' + list + '/list_changed' }));
    });
    require('node:fs').writeFileSync(__dirname + '/pid', String(process.pid));`,
  );
  const workspace = new Workspace({ changing: { command: process.execPath, args: [script] } });
  onTestFinished(() => workspace[Symbol.dispose]());
  const watch = new Watch(workspace, 'changing', '--lists', '--count', '2');
  await watch.notes('watching changing');
  process.kill(Number(readFileSync(join(directory.root, 'pid'), 'utf8')), 'SIGUSR2');
  expect(await watch.line()).toBe('changing list of tools');
  expect(await watch.line()).toBe('changing list of prompts');
  expect(await watch.ended).toEqual([0, null]);
});
