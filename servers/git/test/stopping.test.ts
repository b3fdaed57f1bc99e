import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/testing';
import { expect, test, vi } from 'vitest';
import { startProgram } from './program.ts';
import { Workspace } from './workspace.ts';

// They wait until a git that does not end is killed.
vi.setConfig({ testTimeout: 120_000 });

// These tests wait more than they work, so they run concurrently, with those that wait longest first.
test.concurrent('SIGTERM ends the server and its git processes', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.hook('pre-commit', `touch '${workspace.marks}/started'; while :; do sleep 0.1; done`);
  const server = startProgram(workspace, ['--trust', workspace.root]);
  const client = await Client.connect(server.channel);
  const started = workspace.started();
  const call = client.callTool('git_commit', { message: 'm', allow_empty: true });
  call.catch(() => {});
  await started;
  server.child.kill('SIGTERM');
  await server.exited;
  await vi.waitFor(() => expect(workspace.processes).toEqual([]), { timeout: 20_000 });
});

test.concurrent('a call to a remote that does not answer ends with the time-out, and the repository is unchanged', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const ended: Promise<unknown>[] = [];
  const silent = createServer((socket) => void ended.push(once(socket.resume(), 'close'))).listen(
    0,
    '127.0.0.1',
  );
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  await workspace.git.addRemote('origin', `git://127.0.0.1:${port}/x.git`);
  const before = await workspace.state();
  await using client = await workspace.connect({
    allowRemote: true,
    timeouts: { writeMs: 1_000, cloneMs: 1_000 },
    directories: [workspace.allowed],
  });
  const late = 'ERROR Stopped: git took longer than 1 seconds';
  const url = `git://127.0.0.1:${port}/x.git`;
  for (const tool of ['git_fetch', 'git_pull', 'git_push'])
    expect(await workspace.callText(client, tool, { repo_path: 'repo' }), tool).toBe(late);
  expect(await workspace.callText(client, 'git_clone', { url, path: 'copy' })).toBe(late);
  expect(existsSync(join(workspace.allowed, 'copy'))).toBe(false);
  expect(await workspace.state()).toBe(before);
  expect(ended).toHaveLength(4);
  await Promise.all(ended);
  silent.close();
});

test.concurrent.each([
  ['obeys', ''],
  ['does not', "trap '' TERM;"],
])('a cancelled call ends git with a hook that %s SIGTERM, and the next call works', async (_how, trap) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.hook('pre-commit', `${trap} touch '${workspace.marks}/started'; while :; do sleep 0.1; done`);
  await using client = await workspace.connect({ trust: true });
  const before = await workspace.state();
  const stop = new AbortController();
  const started = workspace.started();
  const call = client.callTool('git_commit', { message: 'm', allow_empty: true }, { signal: stop.signal });
  await started;
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  // The next write waits until the first is over, with everything it had started.
  rmSync(join(workspace.root, '.git/hooks/pre-commit'));
  await client.callTool('git_create_branch', { branch_name: 'after' });
  await workspace.git.deleteLocalBranch('after', true);
  expect(await workspace.state()).toBe(before);
  expect(workspace.processes).toEqual([]);
});

test.concurrent('reads take no lock, and writes wait for each other', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  for (let index = 0; index < 50; index++) workspace.put(`f${index}`, 'x\n');
  await using client = await workspace.connect();
  const work: Promise<{ isError?: boolean }>[] = [];
  for (let index = 0; index < 15; index++) {
    work.push(client.callTool('git_status'), client.callTool('git_diff_unstaged'));
    work.push(client.callTool('git_add', { files: [`f${index}`] }));
    work.push(client.callTool('git_commit', { message: `m${index}`, allow_empty: true }));
    work.push(client.callTool('git_create_branch', { branch_name: `b${index}` }));
  }
  expect((await Promise.all(work)).filter(({ isError }) => isError)).toEqual([]);
  expect(await workspace.output(['rev-list', '--count', 'HEAD'])).toBe('16');
  expect(readdirSync(join(workspace.root, '.git')).filter((name) => name.endsWith('.lock'))).toEqual([]);
});

/** A git whose reads print something and then never end. */
const endless = `case "$1" in diff|log|show|blame|grep|cat-file)
  echo started
  while :; do sleep 0.05; done;;
esac`;

test.concurrent.each([
  ['git_diff_unstaged', {}],
  ['git_diff_staged', {}],
  ['git_diff', { target: 'HEAD' }],
  ['git_log', {}],
  ['git_show', { revision: 'HEAD' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_grep', { pattern: 'a' }],
  ['git_read_file', { path: 'a.txt' }],
])('%s reports progress, and leaves no process behind when it is cancelled', async (tool, args) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ environment: { PATH: workspace.wrapGit(endless) } });
  const stop = new AbortController();
  const reported: [number, string | undefined][] = [];
  const { promise: atWork, resolve } = Promise.withResolvers<void>();
  const call = client.callTool(tool, args, {
    signal: stop.signal,
    onProgress: (done, _total, message) => {
      reported.push([done, message]);
      if (reported.length === 2) resolve();
    },
  });
  await Promise.race([atWork, call]);
  expect(reported.map(([done]) => done)).toEqual([1, 2]);
  expect(reported[0]![1]).toMatch(/^git [a-z-]+: \d+ s, 1 KiB read$/);
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(await workspace.callText(client, 'git_status')).toContain('On main');
  await vi.waitFor(() => expect(workspace.processes).toEqual([]), { timeout: 20_000 });
});

test.concurrent('closing a server ends its own git processes only', async () => {
  using first = await Workspace.create({ 'a.txt': 'a\n' });
  using second = await Workspace.create({ 'a.txt': 'a\n' });
  const stop = new AbortController();
  const logIn = async (workspace: Workspace, progress: (done: number) => void) => {
    const client = await workspace.connect({ environment: { PATH: workspace.wrapGit(endless) } });
    return client.callTool('git_log', {}, { signal: stop.signal, onProgress: progress });
  };
  const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const stillRunning = Promise.withResolvers<void>();
  let closed = false;
  const ended = logIn(first, () => started[0].resolve());
  const other = logIn(second, () => (closed ? stillRunning : started[1]).resolve());
  await Promise.all(started.map(({ promise }) => promise));
  first.close();
  closed = true;
  expect(await ended).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'Stopped: the program that runs git is closing' }],
  });
  expect(await Promise.race([stillRunning.promise, other])).toBeUndefined();
  expect(first.processes).toEqual([]);
  expect(second.processes).not.toEqual([]);
  stop.abort(new Error('enough'));
  await expect(other).rejects.toThrow('enough');
});

test.concurrent('a git that exceeds its time-out is stopped, and the error says so', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({
    environment: { PATH: workspace.wrapGit(endless) },
    timeouts: { readMs: 2_000 },
  });
  expect(await workspace.callText(client, 'git_log')).toBe('ERROR Stopped: git took longer than 2 seconds');
  expect(await workspace.callText(client, 'git_branch')).toContain('* main');
  expect(workspace.processes).toEqual([]);
});
