import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

describe.each(modes)('stopping a watch, %s', (_, options) => {
  test('ends its calls at once, even for an earlier change', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    const stopped = await workspace.watch(path);
    const other = await workspace.watch(path);

    await other.after(() => {
      writeFileSync(path, 'text');
      stopped.stop();
      stopped.stop();
    });
    await other.after(() => rmSync(path));

    expect(stopped.count).toBe(0);
  });

  test('ends its calls while the identity is being read', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    let looks = 0;
    let calls = 0;
    const identity = async () => {
      if (++looks === 2) stop();
      return String(looks);
    };
    const stop = await workspace.watcher.watch(path, () => void calls++, { identity });

    writeFileSync(path, 'text');
    await workspace.quiet();

    expect(looks).toBe(2);
    expect(calls).toBe(0);
  });

  test('happens to all watches when the watcher is closed', async () => {
    using workspace = new Workspace(options);
    using other = new Workspace(options);
    const path = workspace.path('file');
    const calls = await workspace.watch(path);
    const witness = await other.watch(path);

    workspace.watcher.close();
    await witness.after(() => writeFileSync(path, 'text'));
    await witness.after(() => rmSync(path));

    expect(calls.count).toBe(0);
    await expect(workspace.watch(path)).rejects.toThrow(`Cannot watch "${path}": the watcher is closed`);
  });

  test('rejects a watch that is not ready when the watcher is closed', async () => {
    using workspace = new Workspace(options);
    const path = workspace.path('file');
    const watching = workspace.watch(path);
    workspace.watcher.close();

    await expect(watching).rejects.toThrow('the watcher is closed');
  });
});

test('a callback that throws or rejects causes a warning, and the watches go on', async () => {
  using workspace = new Workspace();
  const path = workspace.path('file');
  const failing = [
    () => {
      throw new Error('thrown');
    },
    () => Promise.reject(new Error('rejected')),
  ];
  for (const changed of failing) await workspace.watcher.watch(path, changed);
  const calls = await workspace.watch(path);

  await calls.after(() => writeFileSync(path, 'text'));
  await workspace.quiet();
  const failed = `Failed to handle a change of "${path}": Error:`;
  expect(workspace.warnings.toSorted()).toEqual([`${failed} rejected`, `${failed} thrown`]);

  await calls.after(() => rmSync(path));
  await workspace.quiet();
  expect(workspace.warnings).toHaveLength(4);
});

test('watches go on after a warn callback that throws', async () => {
  using workspace = new Workspace({
    poll: false,
    maxDirectories: 0,
    pollMs: 20,
    onWarning: () => {
      throw new Error('thrown');
    },
  });
  const path = workspace.path('file');
  const calls = await workspace.watch(path);

  await calls.after(() => writeFileSync(path, 'text'));
});
