import { expect, test } from 'vitest';
import { ServerProcess } from './server-process.ts';

test('callbacks that throw are warnings, and keep no later message from its listener', async () => {
  const progress = 'The listener of "notifications/progress" has failed: Error: Progressed carelessly';
  await using client = new ServerProcess('throwing-listener');
  expect(await client.next()).toEqual([
    1_000,
    'The callback "onLog" has failed: Error: Careless',
    progress,
    1_000,
    progress,
    1_000,
    progress,
    'The callback "onClose" has failed: Error: Closed carelessly',
  ]);
});

test('callbacks whose promises are rejected are warnings', async () => {
  const careless = 'The callback "onWarning" has failed: Error: Warned carelessly';
  await using client = new ServerProcess('rejecting-listener');
  const received: unknown = await client.next();
  expect(received).toHaveLength(6);
  expect(received).toEqual(
    expect.arrayContaining([
      'The callback "onLog" has failed: Error: Careless',
      'The listener of "notifications/progress" has failed: Error: Progressed carelessly',
      'The callback "onClose" has failed: Error: Closed carelessly',
      careless,
    ]),
  );
  expect(received).not.toContainEqual(expect.stringContaining('unhandled'));
});
