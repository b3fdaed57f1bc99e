import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_init creates a repository that the other tools can use', async () => {
  using workspace = await Workspace.create();
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  expect(await workspace.callText(client, 'git_init', { path: 'new', initial_branch: 'trunk' })).toBe(
    'Created a repository; its repo_path is "/allowed/new"',
  );
  expect(await workspace.callText(client, 'git_status', { repo_path: 'new' })).toBe(
    'On trunk, no commit yet\nNothing to commit, the work tree is clean',
  );
  expect((await client.readResource('git://new/head')).contents).toMatchObject([
    { text: expect.stringContaining('"branch": "trunk"') },
  ]);
});

test('git_init refuses a path that exists or has no parent directory', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const init = (path: string) => workspace.callText(client, 'git_init', { path });
  expect(await init('repo')).toBe('ERROR Already exists: "repo"');
  expect(await init('no/such/place')).toBe('ERROR No such directory: "no/such"');
  expect(await init('repo/.git/x')).toMatch(/^ERROR Inside the git directory/);
});
