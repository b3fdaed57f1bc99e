import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

describe.each(modes)('a directory, %s', (_, options) => {
  test('is reported when entries are added, modified, renamed and deleted', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('directory');
    mkdirSync(path);
    const calls = await workspace.watch(path);

    await calls.after(() => writeFileSync(workspace.path('directory', 'file'), 'text'));
    await calls.after(() => writeFileSync(workspace.path('directory', 'file'), 'TEXT'));
    await calls.after(() =>
      renameSync(workspace.path('directory', 'file'), workspace.path('directory', 'other')),
    );
    await calls.after(() => mkdirSync(workspace.path('directory', 'inner')));
    await calls.after(() => rmSync(workspace.path('directory', 'inner'), { recursive: true }));
    await calls.after(() => rmSync(workspace.path('directory', 'other')));
  });

  test('is reported when it is deleted and created again', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('directory');
    const calls = await workspace.watch(path);

    await calls.after(() => mkdirSync(path));
    await calls.after(() => writeFileSync(workspace.path('directory', 'file'), 'text'));
    await calls.after(() => rmSync(path, { recursive: true }));
    await calls.after(() => mkdirSync(path));
    await calls.after(() => writeFileSync(workspace.path('directory', 'file'), 'text'));
  });

  test('is reported when it is replaced by a file and by a directory again', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('directory');
    mkdirSync(path);
    const calls = await workspace.watch(path);

    await calls.after(() => {
      rmSync(path, { recursive: true });
      writeFileSync(path, 'text');
    });
    await calls.after(() => {
      rmSync(path);
      mkdirSync(path);
    });
    await calls.after(() => writeFileSync(workspace.path('directory', 'file'), 'text'));
  });

  test('is reported when its permissions change', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('directory');
    mkdirSync(path);
    chmodSync(path, 0o755);
    const calls = await workspace.watch(path);

    await calls.after(() => chmodSync(path, 0o700));
  });

  test('is not reported when it is listed, or when something two levels below changes', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('directory');
    mkdirSync(workspace.path('directory', 'inner'), { recursive: true });
    const calls = await workspace.watch(path);

    readdirSync(path);
    writeFileSync(workspace.path('directory', 'inner', 'file'), 'text');
    await workspace.quiet();

    expect(calls.count).toBe(0);
  });

  test('can be watched together with a file in it', async () => {
    using workspace = new Workspace(options);
    mkdirSync(workspace.path('directory'));
    const directory = await workspace.watch(workspace.path('directory'));
    const file = await workspace.watch(workspace.path('directory', 'file'));

    await Promise.all([
      directory.after(() => {}),
      file.after(() => writeFileSync(workspace.path('directory', 'file'), 'text')),
    ]);
  });
});
