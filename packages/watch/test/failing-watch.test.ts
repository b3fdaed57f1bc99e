import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type * as chokidar from 'chokidar';
import { Workspace } from './workspace.ts';

// macOS and Windows report some errors of a watch only after it was set. Linux never does, so the test emits
// one.
const system: chokidar.FSWatcher[] = [];

vi.mock('chokidar', async (original) => {
  const real = await original<typeof chokidar>();
  class FSWatcher extends real.FSWatcher {
    constructor(options: chokidar.ChokidarOptions) {
      super(options);
      system.push(this);
    }
  }
  return { ...real, FSWatcher };
});

test('a watch of the system that fails later is replaced by polling, with one warning', async () => {
  using workspace = new Workspace();
  const path = workspace.path('directory', 'file');
  mkdirSync(workspace.path('directory'));
  const calls = await workspace.watch(path);

  const failing = [...system];
  for (const watcher of failing) {
    watcher.emit('error', Object.assign(new Error('EMFILE: too many open files, watch'), { code: 'EMFILE' }));
  }
  await workspace.quiet();
  await calls.after(() => writeFileSync(path, 'text'));
  await calls.after(() => {
    rmSync(workspace.path('directory'), { recursive: true });
    mkdirSync(workspace.path('directory'));
    writeFileSync(path, 'text');
  });
  await calls.after(() => writeFileSync(path, 'more text'));

  expect(failing.every(({ closed }) => closed)).toBe(true);
  expect(workspace.warnings).toEqual([
    expect.stringMatching(
      /^The system has no file watches left \(EMFILE\): polling every 10 ms, beginning with ".*"$/,
    ),
  ]);
});
