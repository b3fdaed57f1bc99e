import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

describe.each(modes)('a symbolic link, %s', (_, options) => {
  test('is reported when its target is modified, replaced and deleted', async () => {
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

  test('is reported when its missing target is created', async () => {
    using workspace = new Workspace(options);
    symlinkSync('missing/file', workspace.path('link'));
    const calls = await workspace.watch(workspace.path('link'));

    await calls.after(() => {
      mkdirSync(workspace.path('missing'));
      writeFileSync(workspace.path('missing', 'file'), 'text');
    });
    await calls.after(() => writeFileSync(workspace.path('missing', 'file'), 'more text'));
  });

  test('is reported when it is pointed at another file, and no longer for the former target', async () => {
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

  test('is still followed after it pointed at itself', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('a'));
    writeFileSync(workspace.path('a', 'file'), 'text');
    turn(workspace.path('link'), 'a');
    const all = await Promise.all(['link', 'link/file'].map((path) => workspace.watch(workspace.path(path))));
    for (const target of ['link', 'a', 'link', 'a', 'missing', 'a']) {
      const printed = all.map((calls) => calls.after(() => {}));
      turn(workspace.path('link'), target);
      await Promise.all(printed);
    }
  });

  test('is reported when a link between it and its target changes', async () => {
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

  test('can be a directory above a watched file', async () => {
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

  test('is reported when entries of its target directory change', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('directory'));
    symlinkSync('directory', workspace.path('link'));
    const calls = await workspace.watch(workspace.path('link'));

    await calls.after(() => writeFileSync(workspace.path('directory', 'file'), 'text'));
    await calls.after(() => rmSync(workspace.path('directory', 'file')));
  });

  test('is resolved from its real directory when it is reached through another link', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('real', 'deep'), { recursive: true });
    symlinkSync('real/deep', workspace.path('short'));
    symlinkSync('../file', workspace.path('short', 'link'));
    const calls = await workspace.watch(workspace.path('short', 'link'));

    await calls.after(() => writeFileSync(workspace.path('real', 'file'), 'text'));
    await calls.after(() => writeFileSync(workspace.path('real', 'file'), 'more text'));
  });

  test.each(['link', 'link/inside', 'missing/../link/inside', 'other'])(
    'can be circular, pointing at %s',
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
