import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Git } from '../src/context.ts';
import { git } from '../src/server.ts';
import { Workspace } from './workspace.ts';

/** A repository, and a key of ssh that the operator has configured; git can verify its signatures. */
async function withKey(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const key = newKey(workspace, 'key');
  const signers = join(workspace.base, 'signers');
  writeFileSync(signers, `ada@example.com ${readFileSync(`${key}.pub`, 'utf8')}`);
  appendFileSync(
    join(workspace.base, 'home/.gitconfig'),
    `\tsigningKey = ${key}\n`.replace('\t', '[user]\n\t') +
      `[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tallowedSignersFile = ${signers}\n`,
  );
  return workspace;
}

function newKey(workspace: Workspace, name: string): string {
  const key = join(workspace.base, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key]);
  return key;
}

/** The subjects of the last commits with the letter of their signature: G is good, N is none. */
const signatures = (workspace: Workspace, count: number) =>
  workspace.output(['log', `-${count}`, '--format=%G? %s']).then((text) => text.split('\n'));

test('with --sign, commits, merges, picks, reverts, rebases, rewords and annotated tags are signed', async () => {
  using workspace = await withKey();
  await using client = await workspace.connect({ sign: true });
  const call = async (tool: string, args: object) => {
    const text = await workspace.callText(client, tool, { ...args });
    expect(text).not.toMatch(/^ERROR/);
    return text;
  };
  workspace.put('b.txt', 'b\n');
  await call('git_commit', { message: 'one', files: ['b.txt'] });
  await call('git_commit', { message: 'one, amended', amend: true });
  expect(await signatures(workspace, 2)).toEqual(['G one, amended', 'N first']);
  await workspace.git.raw(['checkout', '-q', '-b', 'topic', 'HEAD~1']);
  await workspace.commit('picked', { 'p.txt': 'p\n' });
  await workspace.commit('rebased', { 'r.txt': 'r\n' });
  await workspace.git.checkout('main');
  await call('git_integrate', { action: 'cherry-pick', revision: 'topic~1' });
  await call('git_integrate', { action: 'revert', revision: 'HEAD' });
  await call('git_integrate', { action: 'merge', revision: 'topic' });
  const merged = await signatures(workspace, 6);
  expect(merged.filter((line) => line.startsWith('G'))).toHaveLength(4);
  await workspace.git.checkout('topic');
  await call('git_integrate', { action: 'rebase', revision: 'main~1' });
  expect((await signatures(workspace, 1))[0]).toBe('G rebased');
  await call('git_commit', { message: 'Reworded ü', reword: 'HEAD~1' });
  expect(await signatures(workspace, 2)).toEqual(['G rebased', 'G Reworded ü']);
  expect(await workspace.output(['log', '-2', '--format=%an <%ae> %ad'])).toBe(
    await workspace.output(['log', '-2', '--format=%an <%ae> %ad', 'topic@{1}']),
  );
  await call('git_tag', { action: 'create', name: 'v1', message: 'One' });
  await call('git_tag', { action: 'create', name: 'light' });
  expect(await workspace.output(['tag', '--verify', '--format=%(tag)', 'v1'])).toBe('v1');
  expect(await workspace.output(['cat-file', '-t', 'light'])).toBe('commit');
});

test('with --sign, an operation that has stopped signs what it continues', async () => {
  using workspace = await withKey();
  await workspace.diverge('other', { 'a.txt': 'theirs\n', 'o.txt': 'o\n' }, { 'a.txt': 'ours\n' });
  await workspace.git.checkout('other');
  await workspace.commit('next', { 'n.txt': 'n\n' });
  await workspace.git.checkout('main');
  for (const args of [
    { action: 'cherry-pick', revision: 'main..other' },
    { action: 'rebase', revision: 'other' },
    { action: 'merge', revision: 'other' },
  ]) {
    await workspace.git.reset(['--hard', 'main']);
    await workspace.git.raw(['checkout', '-q', '--detach', 'main']);
    await using client = await workspace.connect({ sign: true });
    expect(await workspace.callText(client, 'git_integrate', args)).toMatch(/^Stopped/);
    workspace.put('a.txt', `resolved ${args.action}\n`);
    await workspace.callText(client, 'git_add', { files: ['a.txt'] });
    expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toMatch(/^Done/);
    expect((await signatures(workspace, 1))[0], args.action).toMatch(/^G /);
  }
});

test('with --sign, a repository chooses neither the key nor the program, and nothing else of it runs', async () => {
  using workspace = await withKey();
  const other = newKey(workspace, 'other');
  const program = workspace.program();
  for (const [key, value] of [
    ['user.signingKey', other],
    ['gpg.format', 'openpgp'],
    ['gpg.program', program],
    ['gpg.openpgp.program', program],
    ['gpg.ssh.program', program],
    ['gpg.x509.program', program],
    ['gpg.ssh.defaultKeyCommand', program],
    ['commit.gpgSign', 'false'],
    ['tag.gpgSign', 'true'],
    ['core.fsmonitor', program],
  ] as const)
    await workspace.git.addConfig(key, value);
  workspace.hook('pre-commit');
  workspace.hook('reference-transaction');
  await using client = await workspace.connect({ sign: true });
  workspace.put('b.txt', 'b\n');
  await workspace.callText(client, 'git_commit', { message: 'signed', files: ['b.txt'] });
  await workspace.callText(client, 'git_commit', { message: 'signed again', reword: 'HEAD' });
  await workspace.callText(client, 'git_tag', { action: 'create', name: 'v1', message: 'One' });
  expect(workspace.executed).toEqual([]);
  const verify = ['-c', 'gpg.format=ssh', '-c', 'gpg.ssh.program=ssh-keygen', '-c', 'core.fsmonitor=false'];
  expect(await workspace.output([...verify, 'log', '-1', '--format=%G? %s'])).toBe('G signed again');
  expect(await workspace.output([...verify, 'tag', '--verify', '--format=%(tag)', 'v1'])).toBe('v1');
});

test.each([
  ['rebase-merge/gpg_sign_opt', '-S/etc/other\n'],
  ['sequencer/opts', '[options]\n\tgpg-sign = /etc/other\n'],
])('with --sign, remaining steps that name another key in %s are refused', async (file, content) => {
  using workspace = await withKey();
  await workspace.diverge('other', { 'a.txt': 'theirs\n', 'o.txt': 'o\n' }, { 'a.txt': 'ours\n' });
  await workspace.git.checkout('other');
  await workspace.commit('next', { 'n.txt': 'n\n' });
  await workspace.git.checkout('main');
  const start = file.startsWith('rebase') ? ['rebase', 'other'] : ['cherry-pick', 'main..other'];
  await workspace.git.raw(start).catch(() => {});
  writeFileSync(join(workspace.root, '.git', file), content);
  workspace.put('a.txt', 'resolved\n');
  await workspace.git.add('a.txt');
  await using client = await workspace.connect({ sign: true });
  expect(await workspace.callText(client, 'git_integrate', { action: 'continue' })).toMatch(
    /^ERROR Refused: the remaining steps name a key to sign with/,
  );
});

test('without --sign nothing is signed, and a key that cannot be read is an error that commits nothing', async () => {
  using workspace = await withKey();
  const commit = async (sign: boolean) => {
    await using client = await workspace.connect({ sign });
    return await workspace.callText(client, 'git_commit', { message: 'made', allow_empty: true });
  };
  await commit(false);
  expect(await signatures(workspace, 1)).toEqual(['N made']);
  const head = await workspace.git.revparse('HEAD');
  writeFileSync(join(workspace.base, 'key'), 'no key\n');
  expect(await commit(true)).toMatch(/^ERROR Git refused: /);
  expect(await workspace.git.revparse('HEAD')).toBe(head);
});

test('the server does not start with --sign where the operator has no key, even if the repository names one', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addConfig('user.signingKey', newKey(workspace, 'key'));
  expect(existsSync(join(workspace.base, 'key'))).toBe(true);
  const { environment, root } = workspace;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const server = git({ directories: [root], environment, sign: true, unusable: resolve });
  using _ = (await (server.context as () => Promise<Git>)()).repositories;
  expect(String(await promise)).toContain('No key to sign with');
});

test('with --sign, a key of OpenPGP signs by its agent', async ({ skip }) => {
  skip(spawnSync('gpg', ['--version']).status !== 0, 'gpg is not installed');
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const home = join(workspace.base, 'g');
  mkdirSync(home, { mode: 0o700 });
  const env = { ...workspace.environment, GNUPGHOME: home };
  const gpg = (...args: string[]) => execFileSync('gpg', ['--batch', '--quiet', ...args], { env });
  try {
    gpg('--passphrase', '', '--quick-gen-key', 'Ada <ada@example.com>', 'ed25519', 'sign', 'never');
    appendFileSync(join(workspace.base, 'home/.gitconfig'), '[user]\n\tsigningKey = ada@example.com\n');
    await workspace.git.addConfig('gpg.program', workspace.program());
    await using client = await workspace.connect({ sign: true, environment: { GNUPGHOME: home } });
    await workspace.callText(client, 'git_commit', { message: 'made', allow_empty: true });
    expect(workspace.executed).toEqual([]);
    expect(await workspace.output(['cat-file', 'commit', 'HEAD'])).toContain('BEGIN PGP SIGNATURE');
  } finally {
    execFileSync('gpgconf', ['--kill', 'all'], { env });
  }
});
