import { expect, test } from 'vitest';
import { type Workspace, WorkspaceTemplate } from '../../test/workspace.ts';

/** The branches one and two are merged, and topic is not. */
const branches = new WorkspaceTemplate({ 'a.txt': 'a\n' }, async (workspace) => {
  await workspace.git.branch(['one']);
  await workspace.git.branch(['two']);
  await workspace.git.checkoutLocalBranch('topic');
  await workspace.commit('only here');
  await workspace.git.checkout('main');
});

const listed = (workspace: Workspace) => workspace.output(['branch', '--format=%(refname:short)']);

test('git_delete_branch deletes a merged branch, and an unmerged branch only with force', async () => {
  using workspace = await branches.copy();
  const hash = await workspace.git.revparse('topic');
  await using client = await workspace.connect();
  const drop = (args: object) => workspace.callText(client, 'git_delete_branch', { ...args });
  expect(await drop({ branch_name: 'one' })).toMatch(/^Deleted 1 branch; .*\none [0-9a-f]{10}$/);
  expect(await drop({ branch_name: 'topic' })).toBe(
    'ERROR Not fully merged: "topic"; force deletes it and its commits',
  );
  expect(await drop({ branch_name: 'topic', force: true })).toBe(
    `Deleted 1 branch; to restore a branch, create it with its commit:\ntopic ${hash.slice(0, 10)}`,
  );
  expect(await drop({ branch_name: 'main' })).toBe(
    'ERROR The branch "main" is checked out in "/allowed/repo"; switch to another branch there first',
  );
  expect(await drop({ branch_name: 'missing' })).toBe('ERROR No such branch: "missing"');
  expect(await listed(workspace)).toBe('main\ntwo');
});

test('git_delete_branch deletes several branches or, if one may not be deleted, none', async () => {
  using workspace = await branches.copy();
  await using client = await workspace.connect();
  const drop = (names: readonly string[]) =>
    workspace.callText(client, 'git_delete_branch', { branch_name: names });
  for (const other of ['topic', 'main', 'missing', '--all', 'two words', ''])
    expect(await drop(['one', other]), other).toMatch(/^ERROR /);
  expect(await listed(workspace)).toBe('main\none\ntopic\ntwo');
  expect(await drop(['one', 'two', 'one'])).toMatch(/^Deleted 2 branches; .*\none [0-9a-f]+\ntwo [0-9a-f]+$/);
  expect(await listed(workspace)).toBe('main\ntopic');
});

test('git_delete_branch with merged deletes the merged branches without a question, and keeps long-lived and checked-out ones', async () => {
  using workspace = await branches.copy();
  await workspace.git.branch(['develop']);
  await workspace.git.raw(['worktree', 'add', '-q', '../tree', '-b', 'in-tree']);
  await workspace.git.checkout('topic');
  const questions: unknown[] = [];
  await using client = await workspace.connect({
    directories: [workspace.root, workspace.allowed],
    elicit: (question: unknown) => {
      questions.push(question);
      return Promise.resolve({ action: 'decline' as const });
    },
  });
  const drop = () =>
    workspace.callText(client, 'git_delete_branch', { repo_path: workspace.root, merged: true });
  expect(await drop()).toMatch(/^Deleted 2 branches; .*\none [0-9a-f]+\ntwo [0-9a-f]+$/);
  expect(await drop()).toBe('No merged branch to delete');
  expect(questions).toEqual([]);
  expect(await listed(workspace)).toBe('develop\nin-tree\nmain\ntopic');
});

test('git_delete_branch takes a branch with an unpushed commit for unmerged, although HEAD has the commit', async () => {
  using workspace = await branches.copy();
  await workspace.git.raw(['update-ref', 'refs/remotes/origin/ahead', 'HEAD~0']);
  await workspace.git.addRemote('origin', 'https://git.example/x.git');
  await workspace.commit('second');
  await workspace.git.branch(['ahead']);
  await workspace.git.branch(['--set-upstream-to=origin/ahead', 'ahead']);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_delete_branch', { branch_name: 'ahead' })).toBe(
    'ERROR Not fully merged: "ahead"; force deletes it and its commits',
  );
});

test('git_delete_branch refuses both or neither of branch_name and merged', async () => {
  using workspace = await branches.copy();
  await using client = await workspace.connect();
  for (const args of [{}, { branch_name: 'one', merged: true }])
    expect(await workspace.callText(client, 'git_delete_branch', args)).toBe(
      'ERROR Invalid arguments: expected either branch_name or merged',
    );
  expect(await workspace.callText(client, 'git_delete_branch', { branch_name: [] })).toBe(
    'ERROR Missing branch; expected the name of at least one branch to delete',
  );
  expect(await listed(workspace)).toBe('main\none\ntopic\ntwo');
});
