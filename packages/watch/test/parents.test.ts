import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ways } from './ways.ts';
import { World } from './world.ts';

describe.each(ways)('directories above a watched path, by %s', (_, options) => {
  test('are missing, and made one by one', async () => {
    using world = new World(options);
    const path = world.path('a', 'b', 'c', 'file');
    const calls = await world.watch(path);

    for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c']]) mkdirSync(world.path(...names));
    await world.quiet(world.path('a', 'b', 'c'));
    expect(calls.count).toBe(0);

    await calls.after(() => writeFileSync(path, 'text'));
    await calls.after(() => writeFileSync(path, 'more text'));
  });

  test('are missing, and come all at once', async () => {
    using world = new World(options);
    const path = world.path('a', 'b', 'c', 'file');
    const calls = await world.watch(path);

    await calls.after(() => {
      mkdirSync(world.path('a', 'b', 'c'), { recursive: true });
      writeFileSync(path, 'text');
    });
    await calls.after(() => writeFileSync(path, 'more text'));
  });

  test('are removed and made again', async () => {
    using world = new World(options);
    const path = world.path('a', 'b', 'file');
    make(path, world.path('a', 'b'));
    const calls = await world.watch(path);

    for (let round = 0; round < 3; round++) {
      await calls.after(() => rmSync(world.path('a'), { recursive: true }));
      await calls.after(() => make(path, world.path('a', 'b')));
      await calls.after(() => writeFileSync(path, `changed in round ${round}`));
    }
  });

  test('are removed and made again at once, which may give them the same inodes', async () => {
    using world = new World(options);
    const path = world.path('a', 'b', 'file');
    make(path, world.path('a', 'b'));
    const calls = await world.watch(path);

    for (let round = 0; round < 5; round++) {
      await calls.after(() => {
        rmSync(world.path('a'), { recursive: true });
        make(path, world.path('a', 'b'));
      });
      await calls.after(() => writeFileSync(path, `changed in round ${round}`));
    }
  });

  test('are moved away and back', async () => {
    using world = new World(options);
    const path = world.path('a', 'b', 'file');
    make(path, world.path('a', 'b'));
    const calls = await world.watch(path);

    for (const above of [world.path('a'), world.path('a', 'b')]) {
      await calls.after(() => renameSync(above, world.path('away')));
      await calls.after(() => renameSync(world.path('away'), above));
      await calls.after(() => writeFileSync(path, `changed under ${above}`));
    }
  });

  test('are moved away, and others put in their place', async () => {
    using world = new World(options);
    const path = world.path('a', 'b', 'file');
    make(path, world.path('a', 'b'));
    const calls = await world.watch(path);

    for (let round = 0; round < 3; round++) {
      make(world.path('new', 'b', 'file'), world.path('new', 'b'));
      await calls.after(() => {
        renameSync(world.path('a'), world.path(`old ${round}`));
        renameSync(world.path('new'), world.path('a'));
      });
      await calls.after(() => writeFileSync(path, `changed in round ${round}`));
    }

    const before = calls.count;
    writeFileSync(world.path('old 0', 'b', 'file'), 'changed where it was moved to');
    await world.quiet(world.path('a', 'b'));
    expect(calls.count).toBe(before);
  });

  test('turn out to be a file, and then a directory', async () => {
    using world = new World(options);
    writeFileSync(world.path('a'), 'not a directory');
    const path = world.path('a', 'b', 'file');
    const calls = await world.watch(path);

    await calls.after(() => {
      rmSync(world.path('a'));
      make(path, world.path('a', 'b'));
    });
  });
});

function make(path: string, directory: string) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, 'text');
}
