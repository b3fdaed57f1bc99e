import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** A repository in the middle of a merge with a conflict in a.txt. */
async function conflicting(action = 'merge') {
  const workspace = await Workspace.create({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await workspace.diverge('topic', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
  workspace.put('b.txt', 'mine\n');
  await workspace.git
    .raw(action === 'merge' ? ['merge', 'topic'] : ['merge', '--squash', 'topic'])
    .catch(() => {});
  return workspace;
}

test.each([
  ['git_stash', { action: 'drop', index: 5 }, 'No such stash: 5; there is no stash'],
  ['git_integrate', { action: 'skip' }, 'A merge cannot skip a commit: continue or abort it'],
  ['git_restore', { paths: ['a.txt'] }, 'In conflict: "a.txt"; side ours or theirs takes a side of it'],
  ['git_restore', { paths: ['.'] }, 'In conflict: "a.txt"; side ours or theirs takes a side of it'],
  ['git_reset', { mode: 'hard', revision: 'topik' }, 'No such revision: "topik"; similar names are "topic"'],
] as const)('%s of %j is refused without a question', async (tool, args, message) => {
  using workspace = await conflicting();
  const asked: string[] = [];
  await using client = await workspace.connect({
    elicit: async ({ message: question }: { message: string }) => {
      asked.push(question);
      return { action: 'decline' as const };
    },
  });
  const before = await workspace.state();
  expect(await workspace.callText(client, tool, { ...args })).toBe(`ERROR ${message}`);
  expect(asked).toEqual([]);
  expect(await workspace.state()).toBe(before);
});

test.each([
  ['git_integrate', { action: 'merge', revision: 'other' }],
  ['git_integrate', { action: 'rebase', revision: 'other' }],
  ['git_integrate', { action: 'cherry-pick', revision: 'other' }],
  ['git_integrate', { action: 'revert', revision: 'HEAD' }],
] as const)('conflicts that a squash has left refuse %s of %j', async (tool, args) => {
  using workspace = await conflicting('squash');
  await workspace.git.branch(['other', 'main~1']);
  await using client = await workspace.connect();
  const before = await workspace.state();
  expect(await workspace.callText(client, tool, { ...args })).toBe(
    'ERROR There are unresolved conflicts: resolve them first',
  );
  expect(await workspace.state()).toBe(before);
});
