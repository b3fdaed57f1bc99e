import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('makes a repository that can be worked in', async () => {
  using workspace = await Workspace.create();
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  expect(await workspace.say(client, 'git_init', { path: 'new', initial_branch: 'trunk' })).toBe(
    'Created a repository; its repo_path is "/allowed/new"',
  );
  expect(await workspace.say(client, 'git_status', { repo_path: 'new' })).toBe(
    'On trunk, no commit yet\nNothing to commit, the work tree is clean',
  );
  expect((await client.readResource('git://new/head')).contents).toMatchObject([
    { text: expect.stringContaining('"branch": "trunk"') },
  ]);
});

test('makes none where there is something, or nothing above it', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const init = (path: string) => workspace.say(client, 'git_init', { path });
  expect(await init('repo')).toBe('ERROR Already exists: "repo"');
  expect(await init('no/such/place')).toBe('ERROR No such directory: "no/such"');
  expect(await init('repo/.git/x')).toMatch(/^ERROR Inside the git directory/);
});
