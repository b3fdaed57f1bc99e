import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('list_allowed_directories returns the allowed directories', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'list_allowed_directories')).toEqual(['/root\n1 directory']);
});
