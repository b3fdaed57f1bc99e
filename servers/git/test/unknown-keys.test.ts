import { acceptedKeys, unknownKeyCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('an unknown key at any level of the arguments is refused by its name, and nothing changes', async () => {
  using workspace = await Workspace.create({ a: 'a\n' });
  await using client = await workspace.connect({ allowRemote: true });
  const before = workspace.names;
  expect(await acceptedKeys(client, await unknownKeyCalls(client))).toEqual([]);
  expect(workspace.names).toEqual(before);
});
