import { expect, test } from 'vitest';
import { ServerProcess } from './server-process.ts';

test('a listener that throws misses nothing that comes after', async () => {
  await using client = new ServerProcess('throwing-listener');
  expect(await client.next()).toEqual([1_000, 'Careless', 1_000, 1_000]);
});
