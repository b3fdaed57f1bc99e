import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_branch lists branches with their commits and upstreams', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.branch(['topic']);
  await workspace.git.branch(['--set-upstream-to=topic']);
  const second = await workspace.commit('second');
  await using client = await workspace.connect();
  const first = await workspace.git.revparse('topic');
  expect(await workspace.callText(client, 'git_branch')).toBe(
    [
      `* main ${second.slice(0, 10)} 2026-01-02 [topic: ahead 1] second`,
      `  topic ${first.slice(0, 10)} 2026-01-02 first`,
      '2 branches',
    ].join('\n'),
  );
});

test('git_branch filters by type, and by the commits that a branch contains', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.branch(['old']);
  const second = await workspace.commit('second');
  await workspace.git.raw(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
  await workspace.git.addAnnotatedTag('v1', 'annotated');
  await using client = await workspace.connect();
  const found = async (args: Record<string, unknown>) =>
    (await workspace.refs(client, args)).map(({ name }) => name);
  expect(await found({ branch_type: 'remote' })).toEqual(['origin/main']);
  expect(await found({ branch_type: 'all' })).toEqual(['main', 'old', 'origin/main']);
  expect(await found({ contains: second })).toEqual(['main']);
  expect(await found({ not_contains: second })).toEqual(['old']);
  expect(await workspace.callText(client, 'git_branch', { branch_type: 'tags' })).toBe(
    `  v1 ${second.slice(0, 10)} 2026-01-02 annotated\n1 tag`,
  );
  expect(
    await workspace.callText(client, 'git_branch', { branch_type: 'remote', contains: 'old~0' }),
  ).toContain('origin/main');
});
