import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_delete_branch deletes a merged branch, and an unmerged branch only with force', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.branch(['merged']);
  await workspace.git.checkoutLocalBranch('topic');
  await workspace.commit('only here');
  await workspace.git.checkout('main');
  await using client = await workspace.connect();
  const drop = (args: object) => workspace.callText(client, 'git_delete_branch', { ...args });
  expect(await drop({ branch_name: 'merged' })).toBe('Deleted branch "merged"');
  expect(await drop({ branch_name: 'topic' })).toBe(
    'ERROR The branch is not fully merged: "topic"; force deletes it and its commits',
  );
  expect(await drop({ branch_name: 'topic', force: true })).toBe('Deleted branch "topic"');
  expect(await drop({ branch_name: 'main' })).toBe('ERROR The branch is checked out: "main"');
  expect(await drop({ branch_name: 'missing' })).toBe('ERROR No such branch: "missing"');
  expect(await workspace.output(['branch', '--format=%(refname:short)'])).toBe('main');
});
