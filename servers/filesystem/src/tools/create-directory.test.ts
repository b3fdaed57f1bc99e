import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('create_directory creates a directory and its parents once', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  await using client = await workspace.connect();
  const create = (path: string) => workspace.say(client, 'create_directory', { path });
  expect(await create('one/two/three')).toEqual([
    'Created one/two/three and 2 parents\nUndo: delete_file one, recursive',
  ]);
  expect(await create('one/two/three')).toEqual(['Already exists: one/two/three']);
  expect(await create('one/four/')).toEqual(['Created one/four\nUndo: delete_file one/four']);
  expect(await create('.')).toEqual(['Already exists: .']);
  expect(existsSync(join(workspace.root, 'one/two/three'))).toBe(true);
  expect(await create('a.txt')).toEqual(['ERROR', 'Already exists and is not a directory: "a.txt"']);
  expect(await create('a.txt/sub')).toEqual(['ERROR', 'Not a directory: "a.txt/sub"']);
  expect(await create('x'.repeat(300))).toEqual(['ERROR', expect.stringMatching(/^Name too long: /)]);
});

test('create_directory creates nothing outside the allowed directories', async () => {
  using workspace = new Workspace();
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  symlinkSync(join(workspace.outside, 'new'), join(workspace.root, 'dangling'));
  symlinkSync('later', join(workspace.root, 'inside'));
  await using client = await workspace.connect();
  const create = (path: string) => workspace.say(client, 'create_directory', { path });
  for (const path of ['out/a/b', 'dangling', 'dangling/a', '../outside/a', '../new']) {
    expect(await create(path)).toEqual(['ERROR', `Outside the allowed directories: "${path}"`]);
  }
  expect(workspace.outsideNames).toEqual(['secret.txt']);
  expect(await create('inside/sub')).toEqual([
    'Created later/sub and 1 parent\nUndo: delete_file later, recursive',
  ]);
});
