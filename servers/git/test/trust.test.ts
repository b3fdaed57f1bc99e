import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('hooks run with --trust, and can refuse a commit', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  for (const name of ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout']) workspace.hook(name);
  await using client = await workspace.connect({ trust: true });
  expect(await workspace.callText(client, 'git_commit', { message: 'm', allow_empty: true })).toContain(
    'Committed',
  );
  await client.callTool('git_create_branch', { branch_name: 'topic' });
  await client.callTool('git_checkout', { branch_name: 'topic' });
  expect(workspace.executed.toSorted()).toEqual(['commit-msg', 'post-checkout', 'post-commit', 'pre-commit']);

  workspace.hook('pre-commit', 'echo "the linter says no" >&2; exit 1');
  const before = await workspace.state();
  expect(await workspace.callText(client, 'git_commit', { message: 'm', allow_empty: true })).toBe(
    'ERROR Git refused: the linter says no',
  );
  expect(await workspace.state()).toBe(before);
});

test('filters run only with --trust', async () => {
  using workspace = await Workspace.create({ '.gitattributes': '*.bin filter=rot\n' });
  await workspace.git.addConfig('filter.rot.clean', 'tr a-z n-za-m');
  await workspace.git.addConfig('filter.rot.smudge', 'tr a-z n-za-m');
  await workspace.git.addConfig('filter.rot.required', 'true');
  await using trusting = await workspace.connect({ trust: true });
  workspace.put('x.bin', 'hello\n');
  await trusting.callTool('git_add', { files: ['x.bin'] });
  await trusting.callTool('git_commit', { message: 'm' });
  expect(await workspace.callText(trusting, 'git_read_file', { path: 'x.bin' })).toBe('uryyb\n');
  expect(workspace.read('x.bin')).toBe('hello\n');

  await using client = await workspace.connect();
  workspace.put('x.bin', 'hello world\n');
  expect(await workspace.callText(client, 'git_diff_unstaged')).toContain('-uryyb\n+hello world');
  expect(await workspace.callText(trusting, 'git_diff_unstaged')).toContain('-uryyb\n+uryyb jbeyq');
});

test('commits are signed only with --trust, as the operator configured', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const key = join(workspace.base, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  for (const [name, value] of [
    ['gpg.format', 'ssh'],
    ['user.signingKey', key],
    ['commit.gpgSign', 'true'],
  ] as const) {
    await workspace.git.addConfig(name, value, false, 'global');
  }
  await using trusting = await workspace.connect({ trust: true });
  await trusting.callTool('git_commit', { message: 'signed', allow_empty: true });
  expect(await workspace.output(['cat-file', 'commit', 'HEAD'])).toContain('gpgsig');
  await using client = await workspace.connect();
  await client.callTool('git_commit', { message: 'not signed', allow_empty: true });
  expect(await workspace.output(['cat-file', 'commit', 'HEAD'])).not.toContain('gpgsig');
});

test('user.name of the repository takes precedence over that of the operator', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  await client.callTool('git_commit', { message: 'm', allow_empty: true });
  expect(await workspace.output(['log', '-1', '--format=%an'])).toBe('Ada');
  await workspace.git.addConfig('user.name', 'Ada of this repository');
  await client.callTool('git_commit', { message: 'm', allow_empty: true });
  expect(await workspace.output(['log', '-1', '--format=%an'])).toBe('Ada of this repository');
});

test('a commit without user.name is an error that names the setting', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.raw(['config', '--global', '--unset', 'user.name']);
  await workspace.git.addConfig('user.useConfigOnly', 'true', false, 'global');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_commit', { message: 'm', allow_empty: true })).toBe(
    'ERROR No author is known: set user.name and user.email with git config',
  );
});
