import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

describe.each(modes)('directories above a watched path, %s', (_, options) => {
  test('may be missing, and be created one by one', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('a', 'b', 'c', 'file');
    const calls = await workspace.watch(path);

    for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c']]) mkdirSync(workspace.path(...names));
    await workspace.quiet(workspace.path('a', 'b', 'c'));
    expect(calls.count).toBe(0);

    await calls.after(() => writeFileSync(path, 'text'));
    await calls.after(() => writeFileSync(path, 'more text'));
  });

  test('may be missing, and be created at once', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('a', 'b', 'c', 'file');
    const calls = await workspace.watch(path);

    await calls.after(() => {
      mkdirSync(workspace.path('a', 'b', 'c'), { recursive: true });
      writeFileSync(path, 'text');
    });
    await calls.after(() => writeFileSync(path, 'more text'));
  });

  test('may be deleted and created again', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('a', 'b', 'file');
    make(path, workspace.path('a', 'b'));
    const calls = await workspace.watch(path);

    for (let round = 0; round < 3; round++) {
      await calls.after(() => rmSync(workspace.path('a'), { recursive: true }));
      await calls.after(() => make(path, workspace.path('a', 'b')));
      await calls.after(() => writeFileSync(path, `changed in round ${round}`));
    }
  });

  test('may be recreated at once, possibly with the same inodes', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('a', 'b', 'file');
    make(path, workspace.path('a', 'b'));
    const calls = await workspace.watch(path);

    for (let round = 0; round < 5; round++) {
      await calls.after(() => {
        rmSync(workspace.path('a'), { recursive: true });
        make(path, workspace.path('a', 'b'));
      });
      await calls.after(() => writeFileSync(path, `changed in round ${round}`));
    }
  });

  test('may be moved away and back', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('a', 'b', 'file');
    make(path, workspace.path('a', 'b'));
    const calls = await workspace.watch(path);

    for (const above of [workspace.path('a'), workspace.path('a', 'b')]) {
      await calls.after(() => renameSync(above, workspace.path('away')));
      await calls.after(() => renameSync(workspace.path('away'), above));
      await calls.after(() => writeFileSync(path, `changed under ${above}`));
    }
  });

  test('may be moved away and replaced by others', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('a', 'b', 'file');
    make(path, workspace.path('a', 'b'));
    const calls = await workspace.watch(path);

    for (let round = 0; round < 3; round++) {
      make(workspace.path('new', 'b', 'file'), workspace.path('new', 'b'));
      await calls.after(() => {
        renameSync(workspace.path('a'), workspace.path(`old ${round}`));
        renameSync(workspace.path('new'), workspace.path('a'));
      });
      await calls.after(() => writeFileSync(path, `changed in round ${round}`));
    }

    const before = calls.count;
    writeFileSync(workspace.path('old 0', 'b', 'file'), 'changed where it was moved to');
    await workspace.quiet(workspace.path('a', 'b'));
    expect(calls.count).toBe(before);
  });

  test('may be a file first and a directory later', async () => {
    using workspace = new Workspace(options);
    writeFileSync(workspace.path('a'), 'not a directory');
    const path = workspace.path('a', 'b', 'file');
    const calls = await workspace.watch(path);

    await calls.after(() => {
      rmSync(workspace.path('a'));
      make(path, workspace.path('a', 'b'));
    });
  });
});

function make(path: string, directory: string) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, 'text');
}
