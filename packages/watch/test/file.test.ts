import { appendFileSync, chmodSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ways } from './ways.ts';
import { World } from './world.ts';

describe.each(ways)('a file, by %s', (_, options) => {
  test.each<[string, (path: string, other: string) => void]>([
    ['written', (path) => writeFileSync(path, 'something longer')],
    ['written with as many bytes', (path) => writeFileSync(path, 'TEXT')],
    ['written with the same bytes', (path) => writeFileSync(path, 'text')],
    ['appended to', (path) => appendFileSync(path, '!')],
    ['truncated', (path) => truncateSync(path)],
    ['touched', (path) => utimesSync(path, 1, 1)],
    ['given other permissions', (path) => chmodSync(path, 0o600)],
    ['written with as many bytes, and its time put back', rewriteUnnoticeably],
    ['deleted', (path) => rmSync(path)],
    ['renamed', (path, other) => renameSync(path, other)],
    ['replaced by renaming another over it', replace],
    ['replaced by one with the same text and times', replaceUnnoticeably],
    ['replaced by a directory', replaceByDirectory],
  ])('is %s', async (_situation, act) => {
    using world = new World(options);
    const path = world.path('file');
    writeFileSync(path, 'text');
    utimesSync(path, 1000, 1000);
    const calls = await world.watch(path);

    await calls.after(() => act(path, world.path('other')));
  });

  test('is saved again and again in the way of an editor', async () => {
    using world = new World(options);
    const path = world.path('file');
    writeFileSync(path, 'text');
    const calls = await world.watch(path);

    for (let save = 0; save < 3; save++) await calls.after(() => replace(path, world.path('other')));
    await calls.after(() => writeFileSync(path, 'and then in place'));
  });

  test('is deleted, created and deleted again', async () => {
    using world = new World(options);
    const path = world.path('file');
    writeFileSync(path, 'text');
    const calls = await world.watch(path);

    await calls.after(() => rmSync(path));
    await calls.after(() => writeFileSync(path, 'text'));
    await calls.after(() => rmSync(path));
  });

  test('is changed in the very moment the watch is ready', async () => {
    using world = new World(options);
    for (let round = 0; round < 10; round++) {
      const path = world.path(`file ${round}`);
      writeFileSync(path, 'one');
      const calls = await world.watch(path);
      await calls.after(() => writeFileSync(path, 'two'));
      calls.stop();
    }
  });

  test('is watched twice', async () => {
    using world = new World(options);
    const path = world.path('file');
    const one = await world.watch(path);
    const two = await world.watch(path);

    await Promise.all([one.after(() => {}), two.after(() => writeFileSync(path, 'text'))]);
    one.stop();
    await two.after(() => rmSync(path));
    expect(one.count).toBe(1);
  });

  test('is not told of when it is read, or when its neighbours change', async () => {
    using world = new World(options);
    const path = world.path('file');
    writeFileSync(path, 'text');
    const calls = await world.watch(path);

    readFileSync(path);
    writeFileSync(world.path('file2'), 'a neighbour');
    rmSync(world.path('file2'));
    mkdirSync(world.path('directory'));
    await world.quiet();

    expect(calls.count).toBe(0);
  });

  test('is not told of when all is as before', async () => {
    using world = new World(options);
    const path = world.path('missing');
    const calls = await world.watch(path);

    writeFileSync(path, 'here for a moment');
    rmSync(path);
    await world.quiet();

    expect(calls.count).toBe(0);
  });

  test.each(['a name with spaces', 'ünïcödé ✓', '.hidden', 'file~', '.file.swp', 'a\\b', '*.[tj]s'])(
    'is named %j',
    async (name) => {
      using world = new World(options);
      mkdirSync(world.path(name));
      const path = world.path(name, name);
      const calls = await world.watch(path);

      await calls.after(() => writeFileSync(path, 'text'));
      await calls.after(() => rmSync(world.path(name), { recursive: true }));
    },
  );

  test('is in a directory whose name only looks like a path', async () => {
    using world = new World(options);
    for (const name of ['a\\b', 'a', 'a/b']) mkdirSync(world.path(name));
    const path = world.path('a\\b', 'file');
    const calls = await world.watch(path);

    await calls.after(() => writeFileSync(path, 'text'));
  });

  test('has the name of its directory', async () => {
    using world = new World(options);
    mkdirSync(world.path('same'));
    const path = world.path('same', 'same');
    const calls = await world.watch(path);

    await calls.after(() => writeFileSync(path, 'text'));
    await calls.after(() => replace(path, world.path('other')));
  });
});

function replace(path: string, other: string) {
  writeFileSync(other, `text of ${other}`);
  renameSync(other, path);
}

function replaceUnnoticeably(path: string, other: string) {
  writeFileSync(other, 'text');
  utimesSync(other, 1000, 1000);
  renameSync(other, path);
}

function rewriteUnnoticeably(path: string) {
  writeFileSync(path, 'TEXT');
  utimesSync(path, 1000, 1000);
}

function replaceByDirectory(path: string, other: string) {
  linkSync(path, other);
  rmSync(path);
  mkdirSync(path);
}
