import { readdirSync } from 'node:fs';
import { acceptedKeys, unknownKeyCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('an unknown key at any level of the arguments is refused by its name, and nothing changes', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await acceptedKeys(client, await unknownKeyCalls(client))).toEqual([]);
  expect(readdirSync(workspace.data)).toEqual([]);
});
