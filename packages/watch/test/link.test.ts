import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

describe.each(modes)('a symbolic link, by %s', (_, options) => {
  test('leads to a file that is changed, replaced and deleted', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('real'));
    mkdirSync(workspace.path('links'));
    writeFileSync(workspace.path('real', 'file'), 'text');
    symlinkSync('../real/file', workspace.path('links', 'link'));
    const calls = await workspace.watch(workspace.path('links', 'link'));

    await calls.after(() => writeFileSync(workspace.path('real', 'file'), 'more text'));
    await calls.after(() => {
      writeFileSync(workspace.path('real', 'other'), 'other text');
      renameSync(workspace.path('real', 'other'), workspace.path('real', 'file'));
    });
    await calls.after(() => rmSync(workspace.path('real'), { recursive: true }));
  });

  test('leads to nothing yet', async () => {
    using workspace = new Workspace(options);
    symlinkSync('missing/file', workspace.path('link'));
    const calls = await workspace.watch(workspace.path('link'));

    await calls.after(() => {
      mkdirSync(workspace.path('missing'));
      writeFileSync(workspace.path('missing', 'file'), 'text');
    });
    await calls.after(() => writeFileSync(workspace.path('missing', 'file'), 'more text'));
  });

  test('is turned to another file', async () => {
    using workspace = new Workspace(options);
    for (const name of ['a', 'b']) {
      mkdirSync(workspace.path(name));
      writeFileSync(workspace.path(name, 'file'), `text of ${name}`);
    }
    turn(workspace.path('link'), 'a/file');
    const calls = await workspace.watch(workspace.path('link'));

    await calls.after(() => turn(workspace.path('link'), 'b/file'));
    await calls.after(() => writeFileSync(workspace.path('b', 'file'), 'more text'));

    const before = calls.count;
    writeFileSync(workspace.path('a', 'file'), 'more text');
    await workspace.quiet(workspace.path('a'));
    expect(calls.count).toBe(before);
  });

  test('is followed on after it led to itself', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('a'));
    writeFileSync(workspace.path('a', 'file'), 'text');
    turn(workspace.path('link'), 'a');
    const all = await Promise.all(['link', 'link/file'].map((path) => workspace.watch(workspace.path(path))));
    for (const target of ['link', 'a', 'link', 'a', 'missing', 'a']) {
      const heard = all.map((calls) => calls.after(() => {}));
      turn(workspace.path('link'), target);
      await Promise.all(heard);
    }
  });

  test('leads through another link', async () => {
    using workspace = new Workspace(options);
    for (const name of ['a', 'b', 'links']) mkdirSync(workspace.path(name));
    writeFileSync(workspace.path('a', 'file'), 'text');
    turn(workspace.path('links', 'second'), '../a/file');
    turn(workspace.path('first'), 'links/second');
    const calls = await workspace.watch(workspace.path('first'));

    await calls.after(() => writeFileSync(workspace.path('a', 'file'), 'more text'));
    await calls.after(() => turn(workspace.path('links', 'second'), '../b/file'));
    await calls.after(() => writeFileSync(workspace.path('b', 'file'), 'text'));
  });

  test('is a directory above a watched file', async () => {
    using workspace = new Workspace(options);
    for (const name of ['a', 'b']) {
      mkdirSync(workspace.path(name, 'inner'), { recursive: true });
      writeFileSync(workspace.path(name, 'inner', 'file'), `text of ${name}`);
    }
    turn(workspace.path('current'), 'a');
    const calls = await workspace.watch(workspace.path('current', 'inner', 'file'));

    await calls.after(() => writeFileSync(workspace.path('a', 'inner', 'file'), 'more text'));
    await calls.after(() => turn(workspace.path('current'), 'b'));
    await calls.after(() => writeFileSync(workspace.path('b', 'inner', 'file'), 'more text'));
    await calls.after(() => renameSync(workspace.path('b'), workspace.path('c')));
    await calls.after(() => renameSync(workspace.path('c'), workspace.path('b')));
    await calls.after(() => writeFileSync(workspace.path('b', 'inner', 'file'), 'even more text'));
  });

  test('leads to a directory', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('directory'));
    symlinkSync('directory', workspace.path('link'));
    const calls = await workspace.watch(workspace.path('link'));

    await calls.after(() => writeFileSync(workspace.path('directory', 'file'), 'text'));
    await calls.after(() => rmSync(workspace.path('directory', 'file')));
  });

  test('stands in a linked directory and leads up from the real one', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('real', 'deep'), { recursive: true });
    symlinkSync('real/deep', workspace.path('short'));
    symlinkSync('../file', workspace.path('short', 'link'));
    const calls = await workspace.watch(workspace.path('short', 'link'));

    await calls.after(() => writeFileSync(workspace.path('real', 'file'), 'text'));
    await calls.after(() => writeFileSync(workspace.path('real', 'file'), 'more text'));
  });

  test.each(['link', 'link/inside', 'missing/../link/inside', 'other'])(
    'leads nowhere but back, by way of %s',
    async (target) => {
      using workspace = new Workspace(options);
      symlinkSync('link', workspace.path('other'));
      symlinkSync(target, workspace.path('link'));
      const calls = await workspace.watch(workspace.path('link', 'file'));

      await calls.after(() => {
        rmSync(workspace.path('link'));
        mkdirSync(workspace.path('link'));
        writeFileSync(workspace.path('link', 'file'), 'text');
      });
    },
  );
});

function turn(link: string, target: string) {
  symlinkSync(target, `${link} new`);
  renameSync(`${link} new`, link);
}
