import { acceptedKeys, unknownKeyCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('an unknown key at any level of the arguments is refused by its name, and nothing changes', async () => {
  using workspace = new Workspace({ a: 'a' });
  await using client = await workspace.connect();
  const calls = await unknownKeyCalls(client);
  const levels = calls.filter(({ key }) => key === 'zzzzzz').length;
  expect(levels).toBeGreaterThan((await client.listTools()).length);
  expect(await acceptedKeys(client, calls)).toEqual([]);
  expect(workspace.read('a')).toBe('a');
  expect(workspace.names).toEqual(['outside', 'outside/secret.txt', 'root', 'root/a']);
});

test('an edit with a key of another tool writes nothing, in whatever form it is sent', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\n' });
  await using client = await workspace.connect();
  for (const edit of [
    { oldText: 'one', newText: 'two', dryRun: true },
    { startLine: 1, endLine: 1, search: 'zzz', newText: 'two' },
  ])
    for (const edits of [[edit], edit, JSON.stringify([edit])])
      expect(await workspace.say(client, 'edit_file', { path: 'a.txt', edits })).toEqual([
        'ERROR',
        expect.stringMatching(/Unknown argument "(dryRun|search)" in edits\.0.*: "oldText", "newText", /),
      ]);
  // The text of another tool's name is a condition of the edit, as `oldText` is.
  const other = { startLine: 1, endLine: 1, old_string: 'zzz', newText: 'two' };
  expect(await workspace.say(client, 'edit_file', { path: 'a.txt', edits: [other] })).toEqual([
    'ERROR',
    'Nothing was changed in "a.txt". oldText does not occur',
  ]);
  expect(workspace.read('a.txt')).toBe('one\n');
});
