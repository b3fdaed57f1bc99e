import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ways } from './ways.ts';
import { World } from './world.ts';

describe.each(ways)('the end of a watch, by %s', (_, options) => {
  test('comes with its stop, even for a change already made', async () => {
    using world = new World(options);
    const path = world.path('file');
    const stopped = await world.watch(path);
    const other = await world.watch(path);

    await other.after(() => {
      writeFileSync(path, 'text');
      stopped.stop();
      stopped.stop();
    });
    await other.after(() => rmSync(path));

    expect(stopped.count).toBe(0);
  });

  test('comes while its path is being looked at', async () => {
    using world = new World(options);
    const path = world.path('file');
    let looks = 0;
    let calls = 0;
    const identity = async () => {
      if (++looks === 2) stop();
      return String(looks);
    };
    const stop = await world.watcher.watch(path, () => void calls++, { identity });

    writeFileSync(path, 'text');
    await world.quiet();

    expect(looks).toBe(2);
    expect(calls).toBe(0);
  });

  test('comes for all when the watcher is closed', async () => {
    using world = new World(options);
    using other = new World(options);
    const path = world.path('file');
    const calls = await world.watch(path);
    const witness = await other.watch(path);

    world.watcher.close();
    await witness.after(() => writeFileSync(path, 'text'));
    await witness.after(() => rmSync(path));

    expect(calls.count).toBe(0);
    await expect(world.watch(path)).rejects.toThrow(`The watcher is closed, so it cannot watch "${path}"`);
  });

  test('comes for a watch that is not ready yet when the watcher is closed', async () => {
    using world = new World(options);
    const path = world.path('file');
    const watching = world.watch(path);
    world.watcher.close();

    await expect(watching).rejects.toThrow('The watcher is closed');
  });
});

test('a call that throws or rejects ends nothing', async () => {
  using world = new World();
  const path = world.path('file');
  const failing = [
    () => {
      throw new Error('thrown');
    },
    () => Promise.reject(new Error('rejected')),
  ];
  for (const changed of failing) await world.watcher.watch(path, changed);
  const calls = await world.watch(path);

  await calls.after(() => writeFileSync(path, 'text'));
  await world.quiet();
  const failed = `Failed to handle a change of "${path}": Error:`;
  expect(world.warnings.toSorted()).toEqual([`${failed} rejected`, `${failed} thrown`]);

  await calls.after(() => rmSync(path));
  await world.quiet();
  expect(world.warnings).toHaveLength(4);
});

test('a warning that throws ends nothing', async () => {
  using world = new World({
    poll: false,
    maxDirectories: 0,
    pollMs: 20,
    warn: () => {
      throw new Error('thrown');
    },
  });
  const path = world.path('file');
  const calls = await world.watch(path);

  await calls.after(() => writeFileSync(path, 'text'));
});
