import { appendFileSync, chmodSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

describe.each(modes)('a file, %s', (_, options) => {
  test.each<[string, (path: string, other: string) => void]>([
    ['written', (path) => writeFileSync(path, 'something longer')],
    ['written with as many bytes', (path) => writeFileSync(path, 'TEXT')],
    ['written with the same bytes', (path) => writeFileSync(path, 'text')],
    ['appended to', (path) => appendFileSync(path, '!')],
    ['truncated', (path) => truncateSync(path)],
    ['touched', (path) => utimesSync(path, 1, 1)],
    ['given other permissions', (path) => chmodSync(path, 0o600)],
    ['written with as many bytes and its modification time is restored', rewriteUnnoticeably],
    ['deleted', (path) => rmSync(path)],
    ['renamed', (path, other) => renameSync(path, other)],
    ['replaced by renaming another over it', replace],
    ['replaced by one with the same text and times', replaceUnnoticeably],
    ['replaced by a directory', replaceByDirectory],
  ])('is reported when it is %s', async (_situation, act) => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    writeFileSync(path, 'text');
    utimesSync(path, 1000, 1000);
    const calls = await workspace.watch(path);

    await calls.after(() => act(path, workspace.path('other')));
  });

  test('is reported each time that an editor saves it by renaming', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    writeFileSync(path, 'text');
    const calls = await workspace.watch(path);

    for (let save = 0; save < 3; save++) await calls.after(() => replace(path, workspace.path('other')));
    await calls.after(() => writeFileSync(path, 'and then in place'));
  });

  test('is reported when it is deleted, created and deleted again', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    writeFileSync(path, 'text');
    const calls = await workspace.watch(path);

    await calls.after(() => rmSync(path));
    await calls.after(() => writeFileSync(path, 'text'));
    await calls.after(() => rmSync(path));
  });

  test('is reported when it changes as soon as the watch is ready', async () => {
    using workspace = new Workspace(options);
    for (let round = 0; round < 10; round++) {
      const path = workspace.path(`file ${round}`);
      writeFileSync(path, 'one');
      const calls = await workspace.watch(path);
      await calls.after(() => writeFileSync(path, 'two'));
      calls.stop();
    }
  });

  test('can be watched twice', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    const one = await workspace.watch(path);
    const two = await workspace.watch(path);

    await Promise.all([one.after(() => {}), two.after(() => writeFileSync(path, 'text'))]);
    one.stop();
    await two.after(() => rmSync(path));
    expect(one.count).toBe(1);
  });

  test('is not reported when it is read, or when other files in its directory change', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    writeFileSync(path, 'text');
    const calls = await workspace.watch(path);

    readFileSync(path);
    writeFileSync(workspace.path('file2'), 'a neighbour');
    rmSync(workspace.path('file2'));
    mkdirSync(workspace.path('directory'));
    await workspace.quiet();

    expect(calls.count).toBe(0);
  });

  test('is not reported when it was created and deleted before it was compared', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('missing');
    const calls = await workspace.watch(path);

    writeFileSync(path, 'here for a moment');
    rmSync(path);
    await workspace.quiet();

    expect(calls.count).toBe(0);
  });

  test.each(['a name with spaces', 'ünïcödé ✓', '.hidden', 'file~', '.file.swp', 'a\\b', '*.[tj]s'])(
    'can have the name %j',
    async (name) => {
      using workspace = new Workspace(options);
      mkdirSync(workspace.path(name));
      const path = workspace.path(name, name);
      const calls = await workspace.watch(path);

      await calls.after(() => writeFileSync(path, 'text'));
      await calls.after(() => rmSync(workspace.path(name), { recursive: true }));
    },
  );

  test('can be in a directory with a backslash in its name', async () => {
    using workspace = new Workspace(options);
    for (const name of ['a\\b', 'a', 'a/b']) mkdirSync(workspace.path(name));
    const path = workspace.path('a\\b', 'file');
    const calls = await workspace.watch(path);

    await calls.after(() => writeFileSync(path, 'text'));
  });

  test('can have the name of its directory', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('same'));
    const path = workspace.path('same', 'same');
    const calls = await workspace.watch(path);

    await calls.after(() => writeFileSync(path, 'text'));
    await calls.after(() => replace(path, workspace.path('other')));
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
