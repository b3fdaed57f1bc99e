import { expect, test } from 'vitest';
import { ServerProcess } from './server-process.ts';

test('a client whose listener throws still receives later messages', async () => {
  await using client = new ServerProcess('throwing-listener');
  expect(await client.next()).toEqual([1_000, 'Careless', 1_000, 1_000]);
});
