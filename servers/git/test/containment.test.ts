import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { conversation } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { run } from './program.ts';
import { walk, walkOutside } from './tool-walk.ts';
import { problem, Workspace } from './workspace.ts';

const outsideError = /^ERROR Outside the allowed directories: /;

test('a repository outside is refused in every spelling of its path', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const foreign = await workspace.foreign();
  symlinkSync(foreign, join(workspace.allowed, 'slink'));
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  for (const repo_path of [
    foreign,
    '../outside/foreign',
    '..',
    '/',
    join(workspace.allowed, 'slink'),
    'slink',
  ]) {
    expect(await workspace.callText(client, 'git_status', { repo_path }), repo_path).toMatch(outsideError);
    expect(await workspace.callText(client, 'git_log', { repo_path }), repo_path).toMatch(outsideError);
  }
  // Nothing is expanded: these are names of directories that are not there.
  for (const repo_path of ['~/foreign', '$HOME/foreign', '${HOME}/../../outside']) {
    expect(await workspace.callText(client, 'git_status', { repo_path }), repo_path).toMatch(
      /^ERROR (No such directory|Outside the allowed directories): /,
    );
  }
  expect(await workspace.callText(client, 'git_status', { repo_path: 'repo' })).toContain('On main');
});

test('a .git file that leads outside is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const foreign = await workspace.foreign();
  mkdirSync(join(workspace.allowed, 'gf'));
  writeFileSync(join(workspace.allowed, 'gf/.git'), `gitdir: ${foreign}/.git\n`);
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  expect(await workspace.callText(client, 'git_log', { repo_path: 'gf' })).toMatch(
    /^ERROR The repository's git directory is outside the allowed directories/,
  );
});

test('a core.worktree outside is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addConfig('core.worktree', workspace.outside);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_status')).toMatch(
    /^ERROR The repository's work tree is outside the allowed directories/,
  );
  const { code, stderr } = await run([workspace.root], {
    env: workspace.environment,
    input: conversation(),
    open: true,
  });
  expect(code).toBe(2);
  expect(stderr).toContain("The repository's work tree is outside");
});

test('a core.worktree outside that is set while the server runs is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  writeFileSync(join(workspace.outside, 'secret-name'), '');
  await using client = await workspace.connect();
  await workspace.callText(client, 'git_status');
  await workspace.git.addConfig('core.worktree', workspace.outside);
  const text = await workspace.callText(client, 'git_status');
  expect(text).toMatch(/^ERROR /);
  expect(text).not.toContain('secret-name');
});

test('a repository above the named directory is not found', async () => {
  using workspace = await Workspace.create({ 'sub/a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [join(workspace.root, 'sub')] });
  expect(await workspace.callText(client, 'git_log')).toBe('ERROR Not a git repository: "sub"');
});

test('GIT_DIR and other git variables of the environment are ignored', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const foreign = await workspace.foreign();
  const environment = {
    GIT_DIR: `${foreign}/.git`,
    GIT_WORK_TREE: foreign,
    GIT_INDEX_FILE: `${foreign}/.git/index`,
    GIT_OBJECT_DIRECTORY: `${foreign}/.git/objects`,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: `${foreign}/.git/objects`,
    GIT_CONFIG_PARAMETERS: "'core.fsmonitor=false'",
    GIT_EXTERNAL_DIFF: workspace.program(),
    GIT_PAGER: workspace.program(),
  };
  for (const trust of [false, true]) {
    await using client = await workspace.connect({ environment, trust });
    expect(await workspace.callText(client, 'git_log')).toContain('first');
    workspace.put('a.txt', 'changed\n');
    expect(await workspace.callText(client, 'git_diff_unstaged')).toContain('+changed');
  }
  expect(workspace.executed).toEqual([]);
});

test('git_init creates no repository outside', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  for (const path of ['../outside/new', '/', '~/.ssh', 'repo/.git/new', 'repo']) {
    expect(await workspace.callText(client, 'git_init', { path }), path).toMatch(/^ERROR /);
  }
  expect(await workspace.callText(client, 'git_init', { path: 'new', initial_branch: 'trunk' })).toBe(
    'Created a repository; its repo_path is "/allowed/new"',
  );
  expect(await workspace.callText(client, 'git_status', { repo_path: 'new' })).toContain(
    'On trunk, no commit yet',
  );
});

test('git_init creates a repository in a directory whose name starts with that of another', async () => {
  using workspace = await Workspace.create();
  mkdirSync(join(workspace.allowed, 'repo2'));
  await using client = await workspace.connect({
    directories: [workspace.root, join(workspace.allowed, 'repo2')],
  });
  expect(await workspace.callText(client, 'git_init', { path: '../repo2/new' })).not.toMatch(/^ERROR/);
  expect(existsSync(join(workspace.allowed, 'repo2/new/.git'))).toBe(true);
});

test('git_worktree adds no work tree outside or at a path that exists', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  symlinkSync(workspace.outside, join(workspace.allowed, 'out'));
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const before = await workspace.state();
  for (const path of ['../outside/tree', 'out/tree', '../tree', 'repo']) {
    const args = { repo_path: 'repo', action: 'add', path, branch: 'half-made' };
    expect(await workspace.callText(client, 'git_worktree', args), path).toMatch(/^ERROR /);
  }
  const missing = {
    repo_path: 'repo',
    action: 'add',
    path: 'tree',
    branch: 'half-made',
    revision: 'nowhere',
  };
  expect(await workspace.callText(client, 'git_worktree', missing)).toMatch(
    /^ERROR No such revision: "nowhere"/,
  );
  expect(await workspace.state()).toBe(before);
});

test('a bare repository among the files of another is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  mkdirSync(join(workspace.root, 'hidden'));
  await workspace.gitAt(join(workspace.root, 'hidden')).init(true);
  await workspace.gitAt(join(workspace.root, 'hidden')).addConfig('core.fsmonitor', workspace.program());
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_status', { repo_path: 'hidden' })).toBe(
    'ERROR A bare repository is used only if its own directory is allowed: "hidden"',
  );
  await using named = await workspace.connect({ directories: [join(workspace.root, 'hidden')] });
  expect(await workspace.callText(named, 'git_branch')).toBe('None');
  expect(workspace.executed).toEqual([]);
});

const root = process.getuid?.() === 0;

test('a repository of another user is refused', async (context) => {
  context.skip(!root, 'Changing the owner of a directory requires root');
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  chownSync(workspace.root, 12_345, 12_345);
  chownSync(join(workspace.root, '.git'), 12_345, 12_345);
  await using refused = await workspace.connect();
  expect(await workspace.callText(refused, 'git_log')).toContain(
    'ERROR The repository belongs to another user',
  );
  appendFileSync(workspace.environment['GIT_CONFIG_GLOBAL']!, `[safe]\n\tdirectory = ${workspace.root}\n`);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_log')).toContain('first');
});

test('without a named repository and without roots, every tool is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [], allowRemote: true, history: true });
  for (const [tool, args] of [...walk, ...walkOutside])
    expect(await workspace.callText(client, tool, args), tool).toMatch(
      /^ERROR No directory is allowed, so that no repository can be used; name a repository with --repository <path>, or use a host that provides roots$/,
    );
});

test('the server does not start if a named directory is missing', async () => {
  using workspace = await Workspace.create();
  expect(
    await problem(() => workspace.connect({ directories: [join(workspace.base, 'missing')] })),
  ).toContain('No such directory');
});

test('without repo_path an error names the repositories', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const second = join(workspace.allowed, 'second');
  mkdirSync(second);
  await workspace.gitAt(second).init();
  await using client = await workspace.connect({ directories: [workspace.root, second] });
  expect(await workspace.callText(client, 'git_status')).toBe(
    'ERROR Several repositories are allowed: "/allowed/repo", "/allowed/second"; pass one of them as repo_path',
  );
  expect(await workspace.callText(client, 'git_status', { repo_path: second })).toContain('no commit yet');
});

test.each([
  ['--apply', 'rebase-apply/apply-opt', (file: string) => ` '--build-fake-ancestor=${file}'\n`],
  ['--strategy=resolve', 'rebase-merge/strategy_opts', (file: string) => ` --index-output=${file}\n`],
])('a rebase that was left with %s writes no file outside', async (how, name, options) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const file = join(workspace.outside, 'precious');
  const stop = async () => {
    writeFileSync(file, 'precious\n');
    await workspace.git.checkout(['-qfB', 'topic', 'main~1']);
    await workspace.commit('one', { 'a.txt': 'b\n' });
    await workspace.commit('two', { 'b.txt': 'b\n' });
    await expect(workspace.git.rebase([how, 'main'])).rejects.toThrow();
  };
  await workspace.commit('theirs', { 'a.txt': 'c\n' });
  await stop();
  const given = join(workspace.root, '.git', name);
  writeFileSync(given, options(file));
  await using client = await workspace.connect();
  for (const action of ['skip', 'continue']) {
    expect(await workspace.callText(client, 'git_integrate', { action })).toBe(
      'ERROR Refused: the remaining steps have options that name other files, and the repository is not trusted; start the server with --trust to permit it',
    );
  }
  expect(readFileSync(file, 'utf8')).toBe('precious\n');
  await workspace.git.rebase(['--skip']);
  expect(readFileSync(file, 'latin1'), 'plain git writes it').toContain('DIRC');
  await stop();
  expect(await workspace.callText(client, 'git_integrate', { action: 'skip' })).toContain('Done');
});

test('a submodule that links to a file outside reveals nothing of it', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const secret = join(workspace.outside, 'secret');
  writeFileSync(secret, 'first\nSECRET\n');
  const inner = join(workspace.root, 'sub/.git');
  for (const name of ['refs', 'objects']) mkdirSync(join(inner, name), { recursive: true });
  writeFileSync(join(inner, 'HEAD'), 'ref: refs/heads/main\n');
  symlinkSync(secret, join(inner, 'packed-refs'));
  const commit = await workspace.git.revparse('HEAD');
  await workspace.git.raw(['update-index', '--add', '--cacheinfo', `160000,${commit},sub`]);
  await expect(workspace.git.raw(['status'])).rejects.toThrow('SECRET');
  await using client = await workspace.connect();
  for (const [tool, args] of [
    ['git_status', {}],
    ['git_diff_unstaged', {}],
    ['git_diff', { target: 'HEAD' }],
    ['git_add', { files: ['sub'] }],
    ['git_stash', { action: 'save' }],
  ] as const) {
    expect(await workspace.callText(client, tool, args), tool).toBe(
      'ERROR Git refused: the packed-refs of the repository, or of a submodule, cannot be read',
    );
  }
});

test.each(['index', 'packed-refs', 'info/attributes', 'COMMIT_EDITMSG'])(
  'a FIFO in place of %s in the git directory is refused at once',
  async (name) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const path = join(workspace.root, '.git', name);
    await using client = await workspace.connect({ directories: [workspace.allowed] });
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    execFileSync('mkfifo', [path]);
    expect(
      await workspace.callText(client, 'git_commit', {
        repo_path: workspace.root,
        message: 'm',
        allow_empty: true,
      }),
    ).toBe(`ERROR Not a regular file: "${name}" of the repository`);
  },
);
