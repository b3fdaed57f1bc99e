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
    `* main ${second.slice(0, 10)} [topic: ahead 1] second\n  topic ${first.slice(0, 10)} first`,
  );
  expect(await workspace.callStructured(client, 'git_branch')).toEqual({
    branches: [
      {
        name: 'main',
        commit: second,
        current: true,
        upstream: 'topic',
        track: 'ahead 1',
        date: '2026-01-02T03:04:05Z',
        subject: 'second',
      },
      { name: 'topic', commit: first, date: '2026-01-02T03:04:05Z', subject: 'first' },
    ],
    total: 2,
  });
});

test('git_branch filters by type, and by the commits that a branch contains', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.branch(['old']);
  const second = await workspace.commit('second');
  await workspace.git.raw(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
  await workspace.git.addAnnotatedTag('v1', 'annotated');
  await using client = await workspace.connect();
  const found = async (args: Record<string, unknown>) =>
    (await workspace.callStructured(client, 'git_branch', args)).branches.map(
      ({ name }: { name: string }) => name,
    );
  expect(await found({ branch_type: 'remote' })).toEqual(['origin/main']);
  expect(await found({ branch_type: 'all' })).toEqual(['main', 'old', 'origin/main']);
  expect(await found({ contains: second })).toEqual(['main']);
  expect(await found({ not_contains: second })).toEqual(['old']);
  const { branches } = await workspace.callStructured(client, 'git_branch', { branch_type: 'tags' });
  expect(branches).toMatchObject([{ name: 'v1', commit: second, subject: 'annotated' }]);
  expect(
    await workspace.callText(client, 'git_branch', { branch_type: 'remote', contains: 'old~0' }),
  ).toContain('origin/main');
});
