import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { identityOf, identityOrAbsenceOf } from '../src/index.ts';
import { Workspace } from './workspace.ts';

test('a custom identity decides what counts as a change', async () => {
  using workspace = new Workspace();
  const path = workspace.path('forecast.json');
  writeFileSync(path, '{"degrees": 7, "asked": 1}');
  const identity = async (file: string) => JSON.parse(await readFile(file, 'utf8')).degrees;
  const calls = await workspace.watch(path, { identity });

  writeFileSync(path, '{"degrees": 7, "asked": 2}');
  await workspace.quiet();
  expect(calls.count).toBe(0);

  await calls.after(() => writeFileSync(path, '{"degrees": 8, "asked": 3}'));
});

test('an identity that rejects is compared like a value', async () => {
  using workspace = new Workspace();
  const path = workspace.path('file');
  const calls = await workspace.watch(path, { identity: async (file) => readFileSync(file, 'utf8') });

  await calls.after(() => writeFileSync(path, 'text'));
  await calls.after(() => rmSync(path));
  await calls.after(() => writeFileSync(path, 'text'));
});

test('the identity of an unchanged path stays equal', async () => {
  using workspace = new Workspace();
  writeFileSync(workspace.path('file'), 'text');

  for (const path of [
    workspace.root,
    workspace.path('file'),
    workspace.path('missing'),
    workspace.path('file', 'below'),
  ]) {
    expect(await identityOf(path)).toBe(await identityOf(path));
  }
  expect(await identityOf(workspace.path('file', 'below'))).toBe('missing');
});

test('identityOrAbsenceOf reports a file that was created and deleted before it was compared', async () => {
  using workspace = new Workspace();
  const path = workspace.path('file');
  const calls = await workspace.watch(path, { identity: identityOrAbsenceOf });
  await calls.after(() => {
    writeFileSync(path, 'here for a moment');
    rmSync(path);
  });
  expect(await identityOrAbsenceOf(path)).toBe(await identityOrAbsenceOf(path));
  expect(await identityOrAbsenceOf(workspace.path('not', 'yet'))).toMatch(/^missing from /);
});

test('writes in one tick of the clock have different identities', async () => {
  using workspace = new Workspace();
  const path = workspace.path('file');
  const identities = new Set<string>();
  for (let write = 0; write < 10; write++) {
    writeFileSync(path, String(write));
    identities.add(await identityOf(path));
  }
  expect(identities.size).toBe(10);
});
