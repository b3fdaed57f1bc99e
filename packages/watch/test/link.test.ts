import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ways } from './ways.ts';
import { World } from './world.ts';

describe.each(ways)('a symbolic link, by %s', (_, options) => {
  test('leads to a file that is changed, replaced and deleted', async () => {
    using world = new World(options);
    mkdirSync(world.path('real'));
    mkdirSync(world.path('links'));
    writeFileSync(world.path('real', 'file'), 'text');
    symlinkSync('../real/file', world.path('links', 'link'));
    const calls = await world.watch(world.path('links', 'link'));

    await calls.after(() => writeFileSync(world.path('real', 'file'), 'more text'));
    await calls.after(() => {
      writeFileSync(world.path('real', 'other'), 'other text');
      renameSync(world.path('real', 'other'), world.path('real', 'file'));
    });
    await calls.after(() => rmSync(world.path('real'), { recursive: true }));
  });

  test('leads to nothing yet', async () => {
    using world = new World(options);
    symlinkSync('missing/file', world.path('link'));
    const calls = await world.watch(world.path('link'));

    await calls.after(() => {
      mkdirSync(world.path('missing'));
      writeFileSync(world.path('missing', 'file'), 'text');
    });
    await calls.after(() => writeFileSync(world.path('missing', 'file'), 'more text'));
  });

  test('is turned to another file', async () => {
    using world = new World(options);
    for (const name of ['a', 'b']) {
      mkdirSync(world.path(name));
      writeFileSync(world.path(name, 'file'), `text of ${name}`);
    }
    turn(world.path('link'), 'a/file');
    const calls = await world.watch(world.path('link'));

    await calls.after(() => turn(world.path('link'), 'b/file'));
    await calls.after(() => writeFileSync(world.path('b', 'file'), 'more text'));

    const before = calls.count;
    writeFileSync(world.path('a', 'file'), 'more text');
    await world.quiet(world.path('a'));
    expect(calls.count).toBe(before);
  });

  test('is followed on after it led to itself', async () => {
    using world = new World(options);
    mkdirSync(world.path('a'));
    writeFileSync(world.path('a', 'file'), 'text');
    turn(world.path('link'), 'a');
    const all = await Promise.all(['link', 'link/file'].map((path) => world.watch(world.path(path))));
    for (const target of ['link', 'a', 'link', 'a', 'missing', 'a']) {
      const heard = all.map((calls) => calls.after(() => {}));
      turn(world.path('link'), target);
      await Promise.all(heard);
    }
  });

  test('leads through another link', async () => {
    using world = new World(options);
    for (const name of ['a', 'b', 'links']) mkdirSync(world.path(name));
    writeFileSync(world.path('a', 'file'), 'text');
    turn(world.path('links', 'second'), '../a/file');
    turn(world.path('first'), 'links/second');
    const calls = await world.watch(world.path('first'));

    await calls.after(() => writeFileSync(world.path('a', 'file'), 'more text'));
    await calls.after(() => turn(world.path('links', 'second'), '../b/file'));
    await calls.after(() => writeFileSync(world.path('b', 'file'), 'text'));
  });

  test('is a directory above a watched file', async () => {
    using world = new World(options);
    for (const name of ['a', 'b']) {
      mkdirSync(world.path(name, 'inner'), { recursive: true });
      writeFileSync(world.path(name, 'inner', 'file'), `text of ${name}`);
    }
    turn(world.path('current'), 'a');
    const calls = await world.watch(world.path('current', 'inner', 'file'));

    await calls.after(() => writeFileSync(world.path('a', 'inner', 'file'), 'more text'));
    await calls.after(() => turn(world.path('current'), 'b'));
    await calls.after(() => writeFileSync(world.path('b', 'inner', 'file'), 'more text'));
    await calls.after(() => renameSync(world.path('b'), world.path('c')));
    await calls.after(() => renameSync(world.path('c'), world.path('b')));
    await calls.after(() => writeFileSync(world.path('b', 'inner', 'file'), 'even more text'));
  });

  test('leads to a directory', async () => {
    using world = new World(options);
    mkdirSync(world.path('directory'));
    symlinkSync('directory', world.path('link'));
    const calls = await world.watch(world.path('link'));

    await calls.after(() => writeFileSync(world.path('directory', 'file'), 'text'));
    await calls.after(() => rmSync(world.path('directory', 'file')));
  });

  test('stands in a linked directory and leads up from the real one', async () => {
    using world = new World(options);
    mkdirSync(world.path('real', 'deep'), { recursive: true });
    symlinkSync('real/deep', world.path('short'));
    symlinkSync('../file', world.path('short', 'link'));
    const calls = await world.watch(world.path('short', 'link'));

    await calls.after(() => writeFileSync(world.path('real', 'file'), 'text'));
    await calls.after(() => writeFileSync(world.path('real', 'file'), 'more text'));
  });

  test.each(['link', 'link/inside', 'missing/../link/inside', 'other'])(
    'leads nowhere but back, by way of %s',
    async (target) => {
      using world = new World(options);
      symlinkSync('link', world.path('other'));
      symlinkSync(target, world.path('link'));
      const calls = await world.watch(world.path('link', 'file'));

      await calls.after(() => {
        rmSync(world.path('link'));
        mkdirSync(world.path('link'));
        writeFileSync(world.path('link', 'file'), 'text');
      });
    },
  );
});

function turn(link: string, target: string) {
  symlinkSync(target, `${link} new`);
  renameSync(`${link} new`, link);
}
