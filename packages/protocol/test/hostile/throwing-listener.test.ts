import { expect, test } from 'vitest';
import { ServerProcess } from './server-process.ts';

test('callbacks that throw are warnings, and keep no later message from its listener', async () => {
  const progress = 'The listener of "notifications/progress" has failed: Error: Progressed carelessly';
  await using client = new ServerProcess('throwing-listener');
  expect(await client.next()).toEqual([
    1_000,
    'The callback "log" has failed: Error: Careless',
    progress,
    1_000,
    progress,
    1_000,
    progress,
    'The callback "closed" has failed: Error: Closed carelessly',
  ]);
});
