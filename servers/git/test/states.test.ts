import { chmodSync, existsSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { simpleGit } from 'simple-git';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('the tools return empty lists for a repository without commits', async () => {
  using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_status')).toBe(
    'On main, no commit yet\nNothing to commit, the work tree is clean',
  );
  expect(await workspace.callText(client, 'git_log')).toBe('No commits');
  expect(await workspace.callText(client, 'git_branch')).toBe('None');
  expect(await workspace.callText(client, 'git_diff_unstaged')).toBe('No unstaged changes');
  expect(await workspace.callText(client, 'git_diff_staged')).toBe('Nothing is staged');
  expect(await workspace.callText(client, 'git_show', { revision: 'HEAD' })).toMatch(/^ERROR /);
  workspace.put('a.txt', 'a\n');
  await client.callTool('git_add', { files: ['a.txt'] });
  expect(await workspace.callText(client, 'git_diff_staged')).toContain('+a');
  expect(await workspace.callText(client, 'git_reset')).toBe('main is at no commit; 1 untracked');
  await client.callTool('git_add', { files: ['a.txt'] });
  expect(await workspace.callText(client, 'git_commit', { message: 'root' })).toContain('Committed on main');
});

test('a detached HEAD and a branch without commits are reported as such', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const commit = await workspace.git.revparse('HEAD');
  expect(await workspace.callText(client, 'git_checkout', { branch_name: commit })).toBe(
    `HEAD is detached at "${commit}", ${commit.slice(0, 10)}; clean`,
  );
  expect(await workspace.callText(client, 'git_status')).toContain(
    `HEAD detached at ${commit.slice(0, 10)}\n`,
  );
  await workspace.git.checkout(['--orphan', 'empty']);
  expect(await workspace.callText(client, 'git_status')).toMatch(/^On empty, no commit yet\n/);
});

/** A repository in which `main` and `other` change the same line. */
async function conflicting(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'base\n', 'gone.txt': 'base\n' });
  await workspace.git.checkoutLocalBranch('other');
  await workspace.commit('theirs', { 'a.txt': 'theirs\n', 'gone.txt': 'theirs\n', 'both.txt': 'theirs\n' });
  await workspace.git.checkout('main');
  rmSync(join(workspace.root, 'gone.txt'));
  await workspace.commit('ours', { 'a.txt': 'ours\n', 'both.txt': 'ours\n' });
  return workspace;
}

test('conflicts of a merge, a rebase, a cherry-pick and a revert are listed with their sides', async () => {
  using workspace = await conflicting();
  await using client = await workspace.connect();
  const before = await workspace.state();
  for (const action of ['merge', 'rebase', 'cherry-pick'] as const) {
    const stopped = await workspace.callText(client, 'git_integrate', { action, revision: 'other' });
    expect(stopped.split('\n').slice(0, -1)).toEqual([
      expect.stringContaining(`Stopped: the ${action} is in progress, with 3 conflicts; `),
      ...(action === 'merge' ? [] : [expect.stringMatching(/^At \w{10} \S+ Ada: /)]),
      'UU a.txt',
      'AA both.txt',
      `${action === 'rebase' ? 'UD' : 'DU'} gone.txt`,
    ]);
    expect((await workspace.status(client)).operation).toBe(action);
    expect(await workspace.callText(client, 'git_integrate', { action: 'merge', revision: 'other' })).toBe(
      `ERROR A ${action} is in progress: continue or abort it first`,
    );
    expect(await workspace.callText(client, 'git_integrate', { action: 'abort' })).toMatch(/^Done; /);
    expect(await workspace.state()).toBe(before);
  }
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toContain(
    'ERROR Nothing to continue',
  );

  await client.callTool('git_integrate', { action: 'merge', revision: 'other' });
  workspace.put('a.txt', 'both\n');
  await client.callTool('git_add', { files: ['a.txt', 'both.txt', 'gone.txt'] });
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toMatch(/^Done; /);
  expect((await workspace.output(['rev-list', '--parents', '-1', 'HEAD'])).split(' ')).toHaveLength(3);

  const reverted = await workspace.callText(client, 'git_integrate', {
    action: 'revert',
    revision: 'HEAD~1',
  });
  expect(reverted).toMatch(/^(Done|Stopped: the revert is in progress|ERROR )/);
});

test('a bisect in progress is reported', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.commit('second');
  await workspace.commit('third');
  await workspace.git.raw(['bisect', 'start']);
  await workspace.git.raw(['bisect', 'bad']);
  await workspace.git.raw(['bisect', 'good', 'HEAD~2']);
  await using client = await workspace.connect();
  expect(await workspace.status(client)).toMatchObject({ operation: 'bisect', branch: undefined });
});

test('bare, shallow, sha256 and sparse repositories and linked work trees can be read', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
  await workspace.commit('second', { 'a.txt': 'b\n' });
  const { allowed } = workspace;
  await workspace.gitAt(allowed).clone(workspace.root, 'bare.git', ['--bare']);
  await workspace.gitAt(allowed).clone(`file://${workspace.root}`, 'shallow', ['--depth=1']);
  await workspace.gitAt(allowed).raw(['init', '-q', '--object-format=sha256', 'long']);
  writeFileSync(join(allowed, 'long/x.txt'), 'x\n');
  await workspace.gitAt(join(allowed, 'long')).add('--all');
  await workspace.gitAt(join(allowed, 'long')).commit('long');
  await workspace.git.raw(['worktree', 'add', '-q', join(allowed, 'tree'), '-b', 'in-tree']);
  await workspace.git.raw(['sparse-checkout', 'set', 'sub']);
  await using client = await workspace.connect({ directories: [allowed, join(allowed, 'bare.git')] });
  const log = async (repo_path: string) =>
    (await workspace.log(client, { repo_path })).commits.map(({ message }) => message);
  expect(await log('bare.git')).toEqual(['second', 'first']);
  expect(await log('shallow')).toEqual(['second']);
  expect(await log('long')).toEqual(['long']);
  expect(await log('tree')).toEqual(['second', 'first']);
  expect(await workspace.callText(client, 'git_status', { repo_path: 'bare.git' })).toMatch(
    /^ERROR .*work tree/,
  );
  expect(await workspace.callText(client, 'git_read_file', { repo_path: 'long', path: '' })).toBe(
    '1 entry:\nx.txt',
  );
  expect(
    await workspace.callText(client, 'git_blame', { repo_path: 'long', path: 'x.txt', text: true }),
  ).toContain('1\tx');
  expect((await workspace.status(client, { repo_path: 'repo' })).entries).toEqual([]);
  const worktrees = await workspace.callText(client, 'git_worktree', { repo_path: 'tree', action: 'list' });
  expect(worktrees).toMatch(/ main\n.* in-tree\n2 work trees$/);
  await using alone = await workspace.connect({ directories: [join(allowed, 'repo')] });
  expect(await workspace.callText(alone, 'git_log')).toContain('second');
});

test('git_status reports a submodule at another commit, and changes inside it only with --trust', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const module = await workspace.foreign('module');
  await workspace.git.raw(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, 'sub']);
  await workspace.commit('with a submodule');
  await using client = await workspace.connect();
  await using trusting = await workspace.connect({ trust: true });
  const entries = async (of: Client) => (await workspace.status(of)).entries;
  expect(await entries(client)).toEqual([]);

  workspace.put('sub/secret.txt', 'changed\n');
  expect(await entries(client)).toEqual([]);
  expect(await entries(trusting)).toEqual([{ sides: ' M', path: 'sub', notes: 'submodule' }]);

  await workspace.gitAt(join(workspace.root, 'sub')).commit('inside', ['--all']);
  expect(await entries(client)).toEqual([{ sides: ' M', path: 'sub', notes: 'submodule' }]);
  expect(await workspace.callText(client, 'git_diff_unstaged')).toContain('+Subproject commit ');
});

const { major, minor } = await simpleGit().version();
const reftable = major > 2 || (major === 2 && minor >= 45);

test('a reftable repository can be used (git 2.45 or newer)', async (context) => {
  context.skip(!reftable, 'This git has no reftable: it is older than 2.45');
  using workspace = await Workspace.create({ 'a.txt': 'a\n' }, ['--ref-format=reftable']);
  await using client = await workspace.connect();
  await client.callTool('git_create_branch', { branch_name: 'topic' });
  expect(await workspace.callText(client, 'git_branch')).toContain('topic');
  expect(await workspace.callText(client, 'git_checkout', { branch_name: 'topic' })).toMatch(
    /^On branch "topic" at [0-9a-f]{10}; clean$/,
  );
});

test('missing objects of a partial clone are an error, and are not fetched', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addConfig('uploadpack.allowFilter', 'true');
  await workspace
    .gitAt(workspace.allowed)
    .clone(`file://${workspace.root}`, 'partial', ['--no-checkout', '--filter=blob:none']);
  const partial = join(workspace.allowed, 'partial');
  const missing = () =>
    workspace.output(['rev-list', '--objects', '--missing=print', 'HEAD'], { directory: partial });
  const before = await missing();
  expect(before).toContain('?');
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const repo_path = 'partial';
  expect(await workspace.callText(client, 'git_log', { repo_path })).toContain('first');
  expect(await workspace.callText(client, 'git_read_file', { repo_path, path: '' })).toBe('1 entry:\na.txt');
  for (const [tool, args] of [
    ['git_read_file', { path: 'a.txt' }],
    ['git_show', { revision: 'HEAD' }],
    ['git_grep', { pattern: 'a', revision: 'HEAD' }],
    ['git_blame', { path: 'a.txt', revision: 'HEAD' }],
    ['git_checkout', { branch_name: 'HEAD' }],
  ] as const) {
    expect(await workspace.callText(client, tool, { repo_path, ...args }), tool).toBe(
      'ERROR The repository is a partial clone, and a required object was never fetched',
    );
  }
  expect(await missing()).toBe(before);
});

test('a stale lock is an error and is not removed', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('b.txt', 'b\n');
  const lock = join(workspace.root, '.git/index.lock');
  writeFileSync(lock, '');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_add', { files: ['b.txt'] })).toMatch(
    /^ERROR Another git process is running/,
  );
  expect(existsSync(lock)).toBe(true);
  expect(await workspace.callText(client, 'git_status')).toContain('?? b.txt');
});

test('the errors name a corrupt object, invalid packed-refs and a missing HEAD', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const blob = await workspace.git.revparse('HEAD:a.txt');
  const object = join(workspace.root, '.git/objects', blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o644);
  truncateSync(object, 3);
  for (const [tool, args] of [
    ['git_show', { revision: blob }],
    ['git_read_file', { path: 'a.txt' }],
    ['git_grep', { pattern: 'a', revision: 'HEAD' }],
  ] as const) {
    expect(await workspace.callText(client, tool, args), tool).toBe(
      'ERROR The repository is damaged: an object is missing or corrupt; git fsck shows which',
    );
  }
  writeFileSync(join(workspace.root, '.git/packed-refs'), 'garbage\n');
  expect(await workspace.callText(client, 'git_branch')).toMatch(/^ERROR Git refused: .*packed-refs/);
  rmSync(join(workspace.root, '.git/packed-refs'));
  rmSync(join(workspace.root, '.git/HEAD'));
  expect(await workspace.callText(client, 'git_log')).toBe(
    'ERROR The repository is damaged: HEAD, or another part of it, is missing',
  );
  expect(existsSync(join(workspace.root, '.git/HEAD'))).toBe(false);
});

test('git_status reports renames with both names, and changes of type and mode', async () => {
  using workspace = await Workspace.create({
    'old.txt': 'some\nlines\nof\ntext\n',
    'type.txt': 'x',
    'mode.sh': '#!/bin/sh\n',
    'case.txt': 'c\n',
  });
  await workspace.git.mv('old.txt', 'new.txt');
  await workspace.git.mv('case.txt', 'CASE.txt');
  rmSync(join(workspace.root, 'type.txt'));
  symlinkSync('new.txt', join(workspace.root, 'type.txt'));
  chmodSync(join(workspace.root, 'mode.sh'), 0o755);
  await workspace.git.add('--all');
  await using client = await workspace.connect();
  const { entries } = await workspace.status(client);
  expect(entries).toEqual([
    { sides: 'R ', path: 'CASE.txt', from: 'case.txt' },
    { sides: 'M ', path: 'mode.sh', notes: '100644 → 100755' },
    { sides: 'R ', path: 'new.txt', from: 'old.txt' },
    { sides: 'T ', path: 'type.txt', notes: '100644 → 120000' },
  ]);
  expect(await workspace.callText(client, 'git_status')).toContain('R  old.txt -> new.txt');
});
