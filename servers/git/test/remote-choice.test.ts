import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AllowedDirectories, parseRemoteUrl } from '@mcp/safe-git';
import { HttpRemote } from './http-remote.ts';
import { Workspace } from './workspace.ts';

const repo_path = 'repo';

/** A repository with two bare remotes, both inside the allowed directory. */
async function withRemotes(): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  for (const name of ['origin', 'fork']) {
    await workspace.gitAt(workspace.allowed).clone(workspace.root, `${name}.git`, ['--bare']);
    await workspace.git.addRemote(name, `file://${workspace.allowed}/${name}.git`);
    await workspace.git.fetch(name);
  }
  return workspace;
}

const connect = (workspace: Workspace, options: object = {}) =>
  workspace.connect({ allowRemote: true, directories: [workspace.allowed], ...options });

test('push, pull and fetch use the remote of a branch whose name has capitals', async () => {
  using workspace = await withRemotes();
  await workspace.git.checkoutLocalBranch('JIRA-1');
  await workspace.git.addConfig('branch.JIRA-1.remote', 'fork');
  await workspace.git.addConfig('branch.JIRA-1.merge', 'refs/heads/main');
  await using client = await connect(workspace);
  expect(await workspace.callText(client, 'git_fetch', { repo_path })).toBe('Fetched from "fork"');
  expect(await workspace.callText(client, 'git_pull', { repo_path })).toMatch(/^Nothing to do/);
  expect(await workspace.callText(client, 'git_push', { repo_path })).toBe('Pushed JIRA-1 to fork/JIRA-1');
});

test.each([
  ['branch.main.pushRemote', { 'branch.main.pushRemote': 'fork', 'remote.pushDefault': 'origin' }],
  ['remote.pushDefault', { 'remote.pushDefault': 'fork', 'branch.main.remote': 'origin' }],
])('git_push without a remote uses %s', async (_key, settings) => {
  using workspace = await withRemotes();
  for (const [key, value] of Object.entries(settings)) await workspace.git.addConfig(key, value);
  await using client = await connect(workspace);
  expect(await workspace.callText(client, 'git_push', { repo_path })).toBe('Pushed main to fork/main');
});

test('git_pull integrates a local upstream without connecting to a remote', async () => {
  using workspace = await withRemotes();
  await workspace.git.checkout(['-b', 'topic', '--track', 'main']);
  await workspace.git.checkout('main');
  await workspace.commit('local', { 'b.txt': 'b\n' });
  await workspace.git.checkout('topic');
  await using client = await connect(workspace);
  expect(await workspace.callText(client, 'git_pull', { repo_path })).toMatch(/^Done; topic is at /);
  expect(workspace.read('b.txt')).toBe('b\n');
});

test('the error of a forced push that the remote denies does not advise to fetch', async () => {
  using workspace = await withRemotes();
  await workspace
    .gitAt(join(workspace.allowed, 'origin.git'))
    .addConfig('receive.denyNonFastForwards', 'true');
  await workspace.git.commit('amended', ['--amend']);
  await using client = await connect(workspace);
  expect(await workspace.callText(client, 'git_push', { repo_path, force: true })).toBe(
    'ERROR The remote refused the push: non-fast-forward',
  );
});

test('a branch can be pushed to a mirror remote', async () => {
  using workspace = await withRemotes();
  await workspace.git.addConfig('remote.origin.mirror', 'true');
  await workspace.commit('second');
  for (const trust of [false, true]) {
    await using client = await connect(workspace, { trust });
    expect(await workspace.callText(client, 'git_push', { repo_path })).toBe('Pushed main to origin/main');
  }
});

test('host:path is a valid URL of a remote, and a program or a drive is not', async () => {
  using workspace = await Workspace.create();
  const allowed = new AllowedDirectories([workspace.allowed]);
  const parse = (url: string) => () => parseRemoteUrl(url, allowed, workspace.root);
  expect(parse('example.com:team/repo.git')()).toEqual({ local: false });
  expect(parse('git@example.com:repo.git')()).toEqual({ local: false });
  for (const url of ['ext::sh', 'C:\\repo', '-oProxyCommand=x:y', 'a:-x', 'host:', '/x:y/../../z'])
    expect(parse(url), url).toThrow();
});

test.each(['http_proxy', 'all_proxy', 'http.proxy'])(
  'a fetch uses the proxy of the operator in %s and no proxy of the repository',
  async (setting) => {
    using workspace = await withRemotes();
    await using proxy = await HttpRemote.listen(workspace);
    await workspace.git.remote(['set-url', 'origin', 'http://example.invalid/origin.git']);
    const url = proxy.url('').replace(/\/$/, '');
    if (setting === 'http.proxy') await workspace.git.addConfig(setting, url, false, 'global');
    const environment: Record<string, string> = setting === 'http.proxy' ? {} : { [setting]: url };
    await using client = await connect(workspace, { environment });
    expect(await workspace.callText(client, 'git_fetch', { repo_path })).toBe('Fetched from "origin"');
    expect(proxy.requests).toContain('POST /origin.git/git-upload-pack');

    await workspace.git.addConfig('http.proxy', 'http://127.0.0.1:1');
    await workspace.git.addConfig('http.http://example.invalid.proxy', 'http://127.0.0.1:1');
    await workspace.git.addConfig('remote.origin.proxy', 'http://127.0.0.1:1');
    expect(await workspace.callText(client, 'git_fetch', { repo_path })).toBe('Fetched from "origin"');
  },
);

test('a repository in a named directory is found by its URI before any call has used it', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  mkdirSync(join(workspace.allowed, 'plain'));
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const { contents } = await client.readResource('git://repo/status');
  expect(contents).toMatchObject([{ text: expect.stringContaining('On main') }]);
  for (const name of ['plain', 'missing', '..', '%2E%2E%2Foutside', 'repo%2F.git'])
    await expect(client.readResource(`git://${name}/status`), name).rejects.toThrow();
});
