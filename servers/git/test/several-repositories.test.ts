import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** A directory with two repositories, a plain directory, and a link to one that is not allowed. */
async function directoryOf(...names: readonly string[]): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'a\n' });
  for (const name of names) {
    const path = join(workspace.allowed, name);
    mkdirSync(path);
    await workspace.gitAt(path).init(['--template=']);
    await workspace.gitAt(path).commit(`first of ${name}`, ['--allow-empty']);
  }
  mkdirSync(join(workspace.allowed, 'none'));
  symlinkSync(await workspace.foreign(), join(workspace.allowed, 'linked'));
  return workspace;
}

test('of a directory with several repositories, all are named, listed and readable', async () => {
  using workspace = await directoryOf('second');
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  expect(client.instructions?.replaceAll(workspace.base, '')).toMatch(
    /^Works on the repositories in \/allowed; pass the name of one as repo_path: repo, second\. Paths start at the top/,
  );
  const call = (repo_path?: string) =>
    workspace.callText(client, 'git_log', { ...(repo_path && { repo_path }) });
  expect(await call()).toBe(
    'ERROR Several repositories are allowed: "/allowed/repo", "/allowed/second"; pass one of them as repo_path',
  );
  expect(await call('second')).toContain('first of second');
  expect(await call(join(workspace.allowed, 'second'))).toContain('first of second');
  expect(await call('secnd')).toBe(
    'ERROR No such directory: "secnd"; the repositories are: "/allowed/repo", "/allowed/second"',
  );
  expect(await call('none')).toBe('ERROR Not a git repository: "none"');
  expect(await call('linked')).toMatch(/^ERROR Outside the allowed directories/);
  const uris = (await client.listResources()).map(({ uri }) => uri);
  expect(uris).toContain('git://second/head');
  for (const uri of uris) await client.readResource(uri);
  expect(uris.filter((uri) => uri.startsWith('git://repo/')).length).toBe(uris.length / 2);
  const { values } = await client.complete({ prompt: 'review_changes' }, { name: 'repo_path', value: 'sec' });
  expect(values).toEqual([join(workspace.allowed, 'second')]);
});

test('of a directory with one repository, repo_path may be omitted', async () => {
  using workspace = await directoryOf();
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  expect(client.instructions).toContain('repo_path may be omitted while repo is the only one.');
  expect(await workspace.callText(client, 'git_log')).toContain('first');
  for (const { uri } of await client.listResources()) await client.readResource(uri);
});

test('of a directory without a repository, nothing is listed, and the error names the directory', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const empty = join(workspace.allowed, 'empty');
  mkdirSync(empty);
  await using client = await workspace.connect({ directories: [empty] });
  expect(client.instructions).toContain('there is none yet');
  expect(await workspace.callText(client, 'git_log')).toBe('ERROR Not a git repository: "empty"');
  expect(await client.listResources()).toEqual([]);
  await workspace.callText(client, 'git_init', { path: 'new' });
  expect(await workspace.callText(client, 'git_status')).toMatch(/^On main, no commit yet/);
});

test('a repository that was named is found by the name of its directory', async () => {
  using workspace = await directoryOf('second');
  const directories = ['repo', 'second'].map((name) => join(workspace.allowed, name));
  // A directory of the first has the name of the second.
  workspace.put('second/b.txt', 'b\n');
  await using client = await workspace.connect({ directories });
  expect(await workspace.callText(client, 'git_log', { repo_path: 'second' })).toContain('first of second');
});

test('repositories whose directories have the same name are told apart', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const directories = ['one', 'two'].map((name) => join(workspace.allowed, name));
  for (const directory of directories) {
    mkdirSync(join(directory, 'app'), { recursive: true });
    await workspace.gitAt(join(directory, 'app')).init(['--template=']);
    await workspace.gitAt(join(directory, 'app')).commit(`in ${directory}`, ['--allow-empty']);
  }
  await using client = await workspace.connect({ directories });
  expect(await workspace.callText(client, 'git_log', { repo_path: 'app' })).toBe(
    'ERROR Several repositories have the name "app": "/allowed/one/app", "/allowed/two/app"; pass one of them as repo_path',
  );
  await using later = await workspace.connect({ directories });
  const { contents } = await later.readResource('git://app-2/log');
  expect(JSON.stringify(contents)).toContain(`in ${directories[1]}`);
});
