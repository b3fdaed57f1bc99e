import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

/** Two commits on main, and a remote branch. */
const history = new WorkspaceTemplate({ 'a.txt': 'a\n' }, async (workspace) => {
  await workspace.git.branch(['old']);
  await workspace.commit('second', { 'a.txt': 'b\n' });
  await workspace.git.addRemote('origin', 'https://git.example/x.git');
  await workspace.git.raw(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
});

const change = async (workspace: Workspace, args: Record<string, unknown>) => {
  await using client = await workspace.connect();
  return await workspace.callText(client, 'git_create_branch', args);
};

test('git_create_branch with checkout creates a branch and switches to it', async () => {
  using workspace = await history.copy();
  workspace.put('own.txt', 'own\n');
  expect(await change(workspace, { branch_name: 'topic', base_branch: 'HEAD~1', checkout: true })).toMatch(
    /^Created branch "topic" at [0-9a-f]{10}; checked out; 1 untracked$/,
  );
  expect(await workspace.output(['symbolic-ref', 'HEAD'])).toBe('refs/heads/topic');
  expect([workspace.read('a.txt'), workspace.read('own.txt')]).toEqual(['a\n', 'own\n']);
});

test('git_create_branch with checkout creates nothing when local changes would be overwritten', async () => {
  using workspace = await history.copy();
  workspace.put('a.txt', 'changed\n');
  const before = await workspace.state();
  expect(await change(workspace, { branch_name: 'topic', base_branch: 'HEAD~1', checkout: true })).toBe(
    'ERROR Local changes would be overwritten: commit, stash or restore them first',
  );
  expect(await workspace.state()).toBe(before);
  expect(workspace.read('a.txt')).toBe('changed\n');
});

test('git_create_branch with move moves a branch that is not checked out, and says from where', async () => {
  using workspace = await history.copy();
  const [before, main] = [await workspace.git.revparse('old'), await workspace.git.revparse('main')];
  expect(await change(workspace, { branch_name: 'old', base_branch: 'main', move: true })).toBe(
    `Moved branch "old" from ${before.slice(0, 10)} to ${main.slice(0, 10)}; HEAD is on main`,
  );
  expect(await workspace.git.revparse('old')).toBe(await workspace.git.revparse('main'));
  expect(await change(workspace, { branch_name: 'main', base_branch: 'HEAD~1', move: true })).toBe(
    'ERROR The branch is checked out: "main"; a reset to a revision moves it',
  );
});

test('git_create_branch with rename renames a branch, checked out or not', async () => {
  using workspace = await history.copy();
  expect(await change(workspace, { branch_name: 'new', rename: 'old' })).toBe(
    'Renamed branch "old" to "new"; HEAD is on main',
  );
  expect(await change(workspace, { branch_name: 'trunk', rename: 'main' })).toBe(
    'Renamed branch "main" to "trunk"; HEAD is on trunk',
  );
  expect(await workspace.output(['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
  expect(await change(workspace, { branch_name: 'trunk', rename: 'new' })).toBe(
    'ERROR The branch already exists: "trunk"',
  );
  expect(await change(workspace, { branch_name: 'x', rename: 'missing' })).toBe(
    'ERROR No such branch: "missing"',
  );
  expect(await workspace.output(['branch', '--format=%(refname:short)'])).toBe('new\ntrunk');
});

test('git_create_branch with upstream sets the upstream of a new or an existing branch', async () => {
  using workspace = await history.copy();
  expect(await change(workspace, { branch_name: 'main', upstream: 'origin/main' })).toBe(
    'Branch "main"; upstream "origin/main"; HEAD is on main',
  );
  expect(await change(workspace, { branch_name: 'topic', upstream: 'origin/main', checkout: true })).toMatch(
    /^Created branch "topic" at [0-9a-f]{10}; upstream "origin\/main"; checked out; clean$/,
  );
  expect(await workspace.output(['rev-parse', '--abbrev-ref', 'main@{u}', 'topic@{u}'])).toBe(
    'origin/main\norigin/main',
  );
  expect(await change(workspace, { branch_name: 'old', upstream: 'origin/missing' })).toBe(
    'ERROR No such upstream branch: "origin/missing"; similar names are "origin/main"',
  );
});

test('git_create_branch with an empty upstream removes it, and says what it was', async () => {
  using workspace = await history.copy();
  await change(workspace, { branch_name: 'main', upstream: 'origin/main' });
  expect(await change(workspace, { branch_name: 'main', upstream: '' })).toBe(
    'Branch "main"; no upstream; it was "origin/main"; HEAD is on main',
  );
  expect(await workspace.output(['for-each-ref', '--format=%(upstream)', 'refs/heads/main'])).toBe('');
  expect(await change(workspace, { branch_name: 'main', upstream: '' })).toBe(
    'ERROR The branch has no upstream: "main"',
  );
  expect(await change(workspace, { branch_name: 'mian', upstream: '' })).toBe(
    'ERROR No such branch: "mian"; similar names are "main"',
  );
  expect(await workspace.output(['branch', '--list', 'mian'])).toBe('');
});

test.each([
  { branch_name: 'x', rename: '-D' },
  { branch_name: 'x', rename: '--force' },
  { branch_name: '-M', rename: 'old' },
  { branch_name: 'x', upstream: '--unset-upstream' },
  { branch_name: 'x', upstream: '-h' },
  { branch_name: 'x', base_branch: '--orphan', checkout: true },
  { branch_name: '--detach', checkout: true },
  { branch_name: 'x', rename: 'old', base_branch: 'main' },
  { branch_name: 'x', rename: 'old\nmain' },
])('git_create_branch refuses %j, and changes nothing', async (args) => {
  using workspace = await history.copy();
  const before = await workspace.state();
  expect(await change(workspace, args)).toMatch(/^ERROR Invalid /);
  expect(await workspace.state()).toBe(before);
});

test('git_branch lists the branches that are merged into a revision, or are not', async () => {
  using workspace = await history.copy();
  await using client = await workspace.connect();
  const names = async (args: Record<string, unknown>) =>
    (await workspace.refs(client, args)).map(({ name }) => name);
  expect(await names({ merged: 'HEAD' })).toEqual(['main', 'old']);
  expect(await names({ merged: 'old' })).toEqual(['old']);
  expect(await names({ not_merged: 'old', branch_type: 'all' })).toEqual(['main', 'origin/main']);
  for (const hostile of ['--format=%(objectname)', '-x', 'a..b'])
    expect(await workspace.callText(client, 'git_branch', { merged: hostile })).toMatch(
      /^ERROR Invalid revision/,
    );
});
