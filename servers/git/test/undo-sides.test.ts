import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

/** In the middle of a merge: two files that both changed, and each side has deleted a file of the other. */
const template = new WorkspaceTemplate(
  { 'a.txt': 'base\n', 'b.txt': 'base\n', 'dir/theirs.txt': 'base\n', 'dir/ours.txt': 'base\n' },
  async (workspace) => {
    const { git } = workspace;
    await git.checkoutLocalBranch('other');
    await git.raw(['rm', '--quiet', 'dir/theirs.txt']);
    await workspace.commit('theirs', {
      'a.txt': 'theirs\n',
      'b.txt': 'theirs\n',
      'dir/ours.txt': 'theirs\n',
    });
    await git.checkout('main');
    await git.raw(['rm', '--quiet', 'dir/ours.txt']);
    await workspace.commit('ours', { 'a.txt': 'ours\n', 'b.txt': 'ours\n', 'dir/theirs.txt': 'ours\n' });
    await git.merge(['other']).catch(() => {});
  },
);

async function state(workspace: Workspace) {
  const read = (path: string) => (existsSync(join(workspace.root, path)) ? workspace.read(path) : undefined);
  const files = ['a.txt', 'b.txt', 'dir/theirs.txt', 'dir/ours.txt'].map(read);
  return [files, await workspace.output(['ls-files', '--stage'])];
}

test.each([
  ['theirs', 'dir/theirs.txt'],
  ['ours', 'dir/theirs.txt'],
  ['theirs', 'dir/ours.txt'],
  ['ours', 'dir/ours.txt'],
  ['ours', '.'],
  ['theirs', 'dir'],
])('git_restore with side conflict undoes that %s was taken of %s', async (side, path) => {
  using workspace = await template.copy();
  const before = await state(workspace);
  await using client = await workspace.connect();
  const restore = (args: object) => workspace.callText(client, 'git_restore', { ...args });
  const answer = await restore({ paths: [path], side });
  const named = /side "conflict" and paths (.*)/.exec(answer)?.[1]?.split(', ');
  expect(answer).toMatch(
    /^Took \w+, staged; to undo: git_restore with side "conflict" and (the same paths|paths .*)$/,
  );
  expect(await restore({ paths: named ?? [path], side: 'conflict' })).toBe('Restored the conflict');
  expect(await state(workspace)).toEqual(before);
});

test('git_restore with a side of a directory does not undo what was resolved before', async () => {
  using workspace = await template.copy();
  workspace.put('a.txt', 'resolved\n');
  await workspace.git.add('a.txt');
  const before = await state(workspace);
  const asked: string[] = [];
  await using client = await workspace.connect({
    elicit: async ({ message }) => {
      asked.push(message.replaceAll(workspace.base, ''));
      return { action: 'decline' };
    },
  });
  const restore = (args: object) => workspace.callText(client, 'git_restore', { ...args });
  const answer = await restore({ paths: ['.'], side: 'theirs' });
  expect(answer).toBe(
    'Took theirs, staged; to undo: git_restore with side "conflict" and paths b.txt, dir/ours.txt, dir/theirs.txt',
  );
  expect(await restore({ paths: ['.'], side: 'conflict' })).toBe('ERROR Not done: the user declined');
  expect(asked).toEqual(['Discard the changes in "a.txt" of /allowed/repo?']);
  await restore({ paths: ['b.txt', 'dir/ours.txt', 'dir/theirs.txt'], side: 'conflict' });
  expect(await state(workspace)).toEqual(before);
});

test.each(['merge', 'rebase', 'cherry-pick', 'revert'])(
  'a %s that continues after a conflict names the reset that undoes it',
  async (action) => {
    using workspace = await Workspace.create({ 'a.txt': 'base\n' });
    await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
    await workspace.commit('later', { 'b.txt': 'later\n' });
    const before = await workspace.git.revparse('HEAD');
    await using client = await workspace.connect();
    const integrate = (args: object) => workspace.callText(client, 'git_integrate', { ...args });
    expect(await integrate({ action, revision: 'other' })).toMatch(/^Stopped/);
    workspace.put('a.txt', 'resolved\n');
    await workspace.git.add('a.txt');
    const answer = await integrate({ action: 'continue' });
    const [, revision] = /; to undo: git_reset with mode "keep" and revision (\w+)$/.exec(answer) ?? [];
    expect(before.slice(0, 10), answer).toBe(revision);
    await workspace.callText(client, 'git_reset', { mode: 'keep', revision });
    expect(await workspace.git.revparse('HEAD')).toBe(before);
    expect(workspace.read('a.txt')).toBe('ours\n');
  },
);
