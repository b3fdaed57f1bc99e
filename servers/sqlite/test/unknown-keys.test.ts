import { acceptedKeys, unknownKeyCalls } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

test('an unknown key at any level of the arguments is refused by its name, and nothing changes', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({
    allowWrite: true,
    allowCreate: true,
    exportDirectory: workspace.outside,
    importDirectory: workspace.outside,
  });
  const before = workspace.names;
  expect(await acceptedKeys(client, await unknownKeyCalls(client))).toEqual([]);
  expect(workspace.names).toEqual(before);
});
