import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { World } from './world.ts';

// So seldom that nothing below is owed to a round.
const options = { pollParents: true, pollMs: 1_000_000 };

test('a watched directory says itself that it is moved away', async () => {
  using world = new World(options);
  mkdirSync(world.path('a'));
  writeFileSync(world.path('a', 'file'), 'text');
  const calls = await world.watch(world.path('a', 'file'));
  await world.quiet(world.path('a'));

  await calls.after(() => renameSync(world.path('a'), world.path('b')));
});

test('a directory that only led to others is watched as soon as one of its own files is', async () => {
  using world = new World(options);
  mkdirSync(world.path('a', 'b'), { recursive: true });
  const below = await world.watch(world.path('a', 'b', 'file'));
  const calls = await world.watch(world.path('a', 'file'));
  await world.quiet(world.path('a'));

  await calls.after(() => writeFileSync(world.path('a', 'file'), 'text'));
  expect(below.count).toBe(0);
});
