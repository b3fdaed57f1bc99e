import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_create_branch creates a branch, and does not move HEAD', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const first = await workspace.git.revparse('HEAD');
  await workspace.commit('second');
  await using client = await workspace.connect();
  const create = (args: object) => workspace.callText(client, 'git_create_branch', { ...args });
  expect(await create({ branch_name: 'topic' })).toMatch(
    /^Created branch "topic" at [0-9a-f]{10}; HEAD is on main$/,
  );
  expect(await create({ branch_name: 'old/topic', base_branch: 'HEAD~1' })).toBe(
    `Created branch "old/topic" at ${first.slice(0, 10)}; HEAD is on main`,
  );
  expect(await workspace.git.revparse('topic')).toBe(await workspace.git.revparse('main'));
  expect(await workspace.git.revparse('old/topic')).toBe(first);
  expect(await workspace.output(['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
});

test('git_create_branch refuses an existing or invalid name and an unknown base, and creates nothing', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  const before = await workspace.state();
  const create = (args: object) => workspace.callText(client, 'git_create_branch', { ...args });
  expect(await create({ branch_name: 'main' })).toBe(
    'ERROR The branch already exists: "main"; set move to move it',
  );
  expect(await create({ branch_name: 'x', base_branch: 'nowhere' })).toBe(
    'ERROR No such revision: "nowhere"',
  );
  expect(await create({ branch_name: 'two words' })).toBe(
    'ERROR Invalid branch name: "two words"; expected a name that git check-ref-format accepts',
  );
  expect(await workspace.state()).toBe(before);
});
