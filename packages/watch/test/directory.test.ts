import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ways } from './ways.ts';
import { World } from './world.ts';

describe.each(ways)('a directory, by %s', (_, options) => {
  test('gets, changes and loses entries', async () => {
    using world = new World(options);
    const path = world.path('directory');
    mkdirSync(path);
    const calls = await world.watch(path);

    await calls.after(() => writeFileSync(world.path('directory', 'file'), 'text'));
    await calls.after(() => writeFileSync(world.path('directory', 'file'), 'TEXT'));
    await calls.after(() => renameSync(world.path('directory', 'file'), world.path('directory', 'other')));
    await calls.after(() => mkdirSync(world.path('directory', 'inner')));
    await calls.after(() => rmSync(world.path('directory', 'inner'), { recursive: true }));
    await calls.after(() => rmSync(world.path('directory', 'other')));
  });

  test('is removed and made again', async () => {
    using world = new World(options);
    const path = world.path('directory');
    const calls = await world.watch(path);

    await calls.after(() => mkdirSync(path));
    await calls.after(() => writeFileSync(world.path('directory', 'file'), 'text'));
    await calls.after(() => rmSync(path, { recursive: true }));
    await calls.after(() => mkdirSync(path));
    await calls.after(() => writeFileSync(world.path('directory', 'file'), 'text'));
  });

  test('becomes a file and a directory again', async () => {
    using world = new World(options);
    const path = world.path('directory');
    mkdirSync(path);
    const calls = await world.watch(path);

    await calls.after(() => {
      rmSync(path, { recursive: true });
      writeFileSync(path, 'text');
    });
    await calls.after(() => {
      rmSync(path);
      mkdirSync(path);
    });
    await calls.after(() => writeFileSync(world.path('directory', 'file'), 'text'));
  });

  test('is given other permissions', async () => {
    using world = new World(options);
    const path = world.path('directory');
    mkdirSync(path, { mode: 0o755 });
    const calls = await world.watch(path);

    await calls.after(() => chmodSync(path, 0o700));
  });

  test('is not told of when it is listed, or changes two levels down', async () => {
    using world = new World(options);
    const path = world.path('directory');
    mkdirSync(world.path('directory', 'inner'), { recursive: true });
    const calls = await world.watch(path);

    readdirSync(path);
    writeFileSync(world.path('directory', 'inner', 'file'), 'text');
    await world.quiet();

    expect(calls.count).toBe(0);
  });

  test('is watched together with a file in it', async () => {
    using world = new World(options);
    mkdirSync(world.path('directory'));
    const directory = await world.watch(world.path('directory'));
    const file = await world.watch(world.path('directory', 'file'));

    await Promise.all([
      directory.after(() => {}),
      file.after(() => writeFileSync(world.path('directory', 'file'), 'text')),
    ]);
  });
});
