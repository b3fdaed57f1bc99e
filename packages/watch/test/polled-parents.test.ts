import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

// So rarely that no test below can pass by polling.
const options = { pollParents: true, pollMs: 1_000_000 };

test('a watched directory reports that it was moved without polling', async () => {
  using workspace = new Workspace(options);
  mkdirSync(workspace.path('a'));
  writeFileSync(workspace.path('a', 'file'), 'text');
  const calls = await workspace.watch(workspace.path('a', 'file'));
  await workspace.quiet(workspace.path('a'));

  await calls.after(() => renameSync(workspace.path('a'), workspace.path('b')));
});

test('a polled parent directory is watched by the system once one of its own files is watched', async () => {
  using workspace = new Workspace(options);
  mkdirSync(workspace.path('a', 'b'), { recursive: true });
  const below = await workspace.watch(workspace.path('a', 'b', 'file'));
  const calls = await workspace.watch(workspace.path('a', 'file'));
  await workspace.quiet(workspace.path('a'));

  await calls.after(() => writeFileSync(workspace.path('a', 'file'), 'text'));
  expect(below.count).toBe(0);
});
