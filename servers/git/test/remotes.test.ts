import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { HttpRemote } from './http-remote.ts';
import { Workspace } from './workspace.ts';

/** A repository with a bare remote next to it, inside the allowed directories. */
async function withRemote(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.gitAt(workspace.allowed).clone(workspace.root, 'origin.git', ['--bare']);
  await workspace.git.addRemote('origin', `file://${workspace.allowed}/origin.git`);
  await workspace.git.fetch('origin');
  await workspace.git.branch(['--set-upstream-to=origin/main', 'main']);
  return workspace;
}

/** Pushes a commit of another user to the remote. */
async function pushElsewhere(workspace: Workspace, path: string, content: string): Promise<void> {
  const other = join(workspace.allowed, 'other');
  if (!existsSync(other)) await workspace.gitAt(workspace.allowed).clone('origin.git', 'other');
  const git = workspace.gitAt(other);
  await git.pull(['--rebase']);
  await git.addConfig('user.name', 'Bob');
  writeFileSync(join(other, path), content);
  await git.add('--all');
  await git.commit(`elsewhere: ${path}`);
  await git.push();
}

const repo_path = 'repo';

test('git_fetch, git_pull and git_push work over file:// and report progress', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  await pushElsewhere(workspace, 'b.txt', 'b\n');

  const steps: number[] = [];
  const progress = (done: number) => void steps.push(done);
  await client.callTool('git_fetch', { repo_path }, { onProgress: progress });
  expect(steps.length).toBeGreaterThan(1);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(await workspace.callText(client, 'git_status', { repo_path })).toContain(
    '0 ahead and 1 behind origin/main',
  );
  expect(await workspace.callText(client, 'git_pull', { repo_path })).toMatch(/^Done; main is at /);
  expect(workspace.read('b.txt')).toBe('b\n');
  expect(await workspace.callText(client, 'git_pull', { repo_path })).toMatch(/^Nothing to do/);

  await workspace.commit('mine', { 'c.txt': 'c\n' });
  expect(await workspace.callText(client, 'git_push', { repo_path })).toBe('Pushed main to origin/main');
  await pushElsewhere(workspace, 'd.txt', 'd\n');
  await workspace.commit('mine again', { 'e.txt': 'e\n' });
  const before = await workspace.output(['for-each-ref']);
  expect(await workspace.callText(client, 'git_push', { repo_path })).toMatch(/^ERROR Rejected: /);
  expect(await workspace.output(['for-each-ref'])).toBe(before);
  expect(await workspace.callText(client, 'git_pull', { repo_path })).toMatch(/^ERROR .*fast-forward/);
  expect(await workspace.callText(client, 'git_pull', { repo_path, how: 'rebase' })).toMatch(/^Done/);
  expect(await workspace.callText(client, 'git_push', { repo_path, to: 'review', set_upstream: true })).toBe(
    'Pushed main to origin/review',
  );
});

test('long progress lines of a remote do not delay a push', async () => {
  using workspace = await withRemote();
  const hook = join(workspace.allowed, 'origin.git/hooks/pre-receive');
  mkdirSync(dirname(hook), { recursive: true });
  // As progress begins, and then nothing for as long as git lets a remote talk.
  const line = "printf 'A%060000dx\\n' 0 | tr 0 ' ' >&2";
  writeFileSync(hook, `#!/bin/sh\n${Array(5).fill(line).join('\n')}\n`, { mode: 0o755 });
  await using client = await workspace.connect({
    allowRemote: true,
    trust: true,
    directories: [workspace.allowed],
  });
  await workspace.commit('mine', { 'b.txt': 'b\n' });
  const steps: string[] = [];
  const progress = (_done: number, _total?: number, message = '') => void steps.push(message);
  const { isError } = await client.callTool('git_push', { repo_path }, { onProgress: progress });
  expect(isError).toBeUndefined();
  expect(steps).toContain('Writing objects 3/3');
});

test('git_push with force replaces only the commit that was last fetched', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  await workspace.git.commit('amended', ['--amend']);
  await pushElsewhere(workspace, 'b.txt', 'b\n');
  expect(await workspace.callText(client, 'git_push', { repo_path, force: true })).toBe(
    'ERROR Rejected: the remote branch has moved since it was last fetched; fetch it and look at its commits first',
  );
  await client.callTool('git_fetch', { repo_path });
  expect(await workspace.callText(client, 'git_push', { repo_path, force: true })).toMatch(
    /^Pushed main to origin\/main, which was at [0-9a-f]{10}$/,
  );
});

test('a pull stops at conflicts and names them', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  await pushElsewhere(workspace, 'a.txt', 'theirs\n');
  await workspace.commit('mine', { 'a.txt': 'ours\n' });
  expect(await workspace.callText(client, 'git_pull', { repo_path, how: 'merge' })).toContain('UU a.txt');
  expect(await workspace.callText(client, 'git_integrate', { repo_path, action: 'abort' })).toMatch(/^Done/);
});

test('git_clone copies over file://, and leaves nothing behind if it fails', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const url = `file://${workspace.allowed}/origin.git`;
  expect(await workspace.callText(client, 'git_clone', { url, path: 'copy', depth: 1 })).toBe(
    'Cloned; its repo_path is "/allowed/copy"',
  );
  expect(await workspace.callText(client, 'git_log', { repo_path: 'copy' })).toContain('first');
  expect(await workspace.callText(client, 'git_clone', { url, path: 'copy' })).toBe(
    'ERROR Already exists: "copy"',
  );
  expect(await workspace.callText(client, 'git_clone', { url, path: 'half', branch: 'nowhere' })).toMatch(
    /^ERROR /,
  );
  expect(existsSync(join(workspace.allowed, 'half'))).toBe(false);
});

test('exactly one of two concurrent clones to one path succeeds', async () => {
  using workspace = await withRemote();
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const url = `file://${workspace.allowed}/origin.git`;
  const clone = () => workspace.callText(client, 'git_clone', { url, path: 'copy' });
  const texts = await Promise.all([clone(), clone()]);
  expect(texts.toSorted()).toEqual([
    'Cloned; its repo_path is "/allowed/copy"',
    'ERROR Already exists: "copy"',
  ]);
  expect(await workspace.output(['log', '--format=%s'], { directory: join(workspace.allowed, 'copy') })).toBe(
    'first',
  );
});

test('git_clone, git_fetch, git_pull and git_push work over smart HTTP and report progress', async () => {
  using workspace = await withRemote();
  await using remote = await HttpRemote.listen(workspace);
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const copy = { repo_path: 'copy' };
  const progressOf = async (tool: string, args: object) => {
    const messages: string[] = [];
    let last = 0;
    const result = await client.callTool(
      tool,
      { ...args },
      {
        onProgress(done, _total, message = '') {
          expect(done).toBeGreaterThan(last);
          last = done;
          messages.push(message.replace(/ \d+\/\d+$/, ''));
        },
      },
    );
    expect(result.isError).toBeUndefined();
    return [...new Set(messages)];
  };
  const url = remote.url('origin.git');
  expect(await progressOf('git_clone', { url, path: 'copy' })).toContain('Receiving objects');
  await workspace.gitAt(join(workspace.allowed, 'copy')).addConfig('user.name', 'Eve');
  await pushElsewhere(workspace, 'b.txt', 'b\n');
  expect(await progressOf('git_fetch', copy)).toContain('Counting objects');
  expect(await workspace.callText(client, 'git_status', copy)).toContain('0 ahead and 1 behind origin/main');
  expect(await workspace.callText(client, 'git_pull', copy)).toMatch(/^Done/);
  expect(await workspace.callText(client, 'git_create_branch', { ...copy, branch_name: 'topic' })).toContain(
    'topic',
  );
  await client.callTool('git_checkout', { ...copy, branch_name: 'topic' });
  await client.callTool('git_commit', { ...copy, message: 'over HTTP', allow_empty: true });
  expect(await progressOf('git_push', { ...copy, set_upstream: true })).toContain('Writing objects');
  expect(
    await workspace.output(['log', '-1', '--format=%s', 'topic'], {
      directory: join(workspace.allowed, 'origin.git'),
    }),
  ).toBe('over HTTP');
  expect(remote.requests).toContain('POST /origin.git/git-upload-pack');
  expect(remote.requests).toContain('POST /origin.git/git-receive-pack');
});

test("the operator's own credential helper is used, and not that of the repository", async () => {
  using workspace = await withRemote();
  await using remote = await HttpRemote.listen(workspace, { credentials: 'ada:secret' });
  await workspace.git.remote(['set-url', 'origin', remote.url('origin.git')]);
  await workspace.git.addConfig('credential.helper', `!${workspace.program('helper')}`);
  await using stranger = await workspace.connect({ allowRemote: true });
  expect(await workspace.callText(stranger, 'git_fetch')).toBe(
    'ERROR The remote requires credentials, and git may not prompt for them; set up a credential helper',
  );
  const helper = '!f() { echo username=ada; echo password=secret; }; f';
  await workspace.git.addConfig('credential.helper', helper, false, 'global');
  await using client = await workspace.connect({ allowRemote: true });
  expect(await workspace.callText(client, 'git_fetch')).toBe('Fetched from "origin"');
  expect(workspace.executed).toEqual([]);
});

test.each(['http.curloptResolve', 'http.http://example.invalid.curloptResolve'])(
  '%s of a repository does not redirect the credentials of the operator',
  async (key) => {
    using workspace = await withRemote();
    await using remote = await HttpRemote.listen(workspace, { credentials: 'ada:secret' });
    const { port } = new URL(remote.url(''));
    await workspace.git.remote(['set-url', 'origin', `http://example.invalid:${port}/origin.git`]);
    await workspace.git.addConfig(
      key.replace('invalid', `invalid:${port}`),
      `example.invalid:${port}:127.0.0.1`,
    );
    await workspace.git.addConfig(
      'credential.helper',
      '!f() { echo username=ada; echo password=secret; }; f',
      false,
      'global',
    );
    await using client = await workspace.connect({ allowRemote: true });
    expect(await workspace.callText(client, 'git_fetch')).toBe(
      'ERROR The remote cannot be reached; check its URL and the network',
    );
    expect(remote.requests).toEqual([]);
    // Plain git falls for it.
    await workspace.git.fetch();
    expect(remote.requests).not.toEqual([]);
  },
);

test('git_clone and git_pull work over git:// with git daemon', async () => {
  using workspace = await withRemote();
  const port = await freePort();
  const daemon = spawn(
    'git',
    [
      'daemon',
      '--export-all',
      '--reuseaddr',
      '--listen=127.0.0.1',
      `--port=${port}`,
      `--base-path=${workspace.allowed}`,
      '--verbose',
      '--log-destination=stderr',
    ],
    { env: workspace.environment, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  try {
    // It says when it is ready.
    await once(createInterface({ input: daemon.stderr! }), 'line');
    await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
    const url = `git://127.0.0.1:${port}/origin.git`;
    expect(await workspace.callText(client, 'git_clone', { url, path: 'copy' })).toContain('Cloned');
    await pushElsewhere(workspace, 'b.txt', 'b\n');
    expect(await workspace.callText(client, 'git_pull', { repo_path: 'copy' })).toMatch(/^Done/);
    expect(await workspace.callText(client, 'git_read_file', { repo_path: 'copy', path: 'b.txt' })).toBe(
      'b\n',
    );
    expect(await workspace.callText(client, 'git_push', { repo_path: 'copy', to: 'x' })).toMatch(/^ERROR /);
  } finally {
    process.kill(-daemon.pid!, 'SIGKILL');
  }
});

test('a cancelled clone from a remote that hangs leaves nothing behind', async () => {
  using workspace = await withRemote();
  const { promise: called, resolve } = Promise.withResolvers<void>();
  const silent = createServer(() => resolve()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const stop = new AbortController();
  const url = `git://127.0.0.1:${port}/x`;
  const clone = client.callTool('git_clone', { url, path: 'copy' }, { signal: stop.signal });
  await called;
  stop.abort(new Error('enough'));
  await expect(clone).rejects.toThrow('enough');
  await workspace.git.remote(['set-url', 'origin', url]);
  expect(await workspace.callText(client, 'git_status', { repo_path })).toContain('On main');
  silent.close();
});

test('the server requests credentials neither from a user nor from a helper of the repository', async () => {
  using workspace = await withRemote();
  const { createServer: createHttp } = await import('node:http');
  const server = createHttp((_request, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await workspace.git.addConfig('core.askPass', workspace.program());
  await workspace.git.addConfig('credential.helper', `!${workspace.program('helper')}`);
  await workspace.git.remote(['set-url', 'origin', `http://127.0.0.1:${port}/x.git`]);
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  expect(await workspace.callText(client, 'git_fetch', { repo_path })).toBe(
    'ERROR The remote requires credentials, and git may not prompt for them; set up a credential helper',
  );
  expect(workspace.executed).toEqual([]);
  server.close();
});

test('without --allow-remote no tool connects to a remote, even with --trust', async () => {
  using workspace = await withRemote();
  mkdirSync(join(workspace.allowed, 'x'));
  await using client = await workspace.connect({ trust: true, directories: [workspace.allowed] });
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names.filter((name) => /fetch|pull|push|clone/.test(name))).toEqual([]);
  await expect(client.callTool('git_fetch', { repo_path })).rejects.toThrow();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a line break in a URL reaches no credential helper, even where the repository allows it', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using remote = await HttpRemote.listen(workspace, { credentials: 'ada:secret' });
  const url = remote.url('repo').replace('http://', 'http://a%0db@');
  const log = join(workspace.base, 'log');
  await workspace.git.addConfig('credential.helper', `!f() { cat >> '${log}'; }; f`, false, 'global');
  await workspace.git.addConfig('remote.origin.url', url);
  await workspace.git.addConfig('credential.protectProtocol', 'false');
  await workspace.git.addConfig('credential.http://127.0.0.1.protectProtocol', 'false');
  await using client = await workspace.connect({ allowRemote: true });
  expect(await workspace.callText(client, 'git_fetch')).toContain('contains carriage return');
  expect(existsSync(log) ? readFileSync(log, 'latin1') : '').not.toContain('\r');
});
