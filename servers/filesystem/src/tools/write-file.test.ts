import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('write_file reports whether it created or replaced the file', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const write = (content: string) => workspace.say(client, 'write_file', { path: 'a.txt', content });
  expect(await write('one')).toEqual(['Created a.txt (3 bytes)\nUndo: delete_file']);
  expect(await write('three')).toEqual(['Replaced a.txt (5 bytes)']);
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('three');
});

test('the structured result of write_file contains the hash for the next expectedHash', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const { structuredContent } = await client.callTool('write_file', { path: 'a.txt', content: 'one' });
  expect(structuredContent).toEqual({
    hash: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
  });
  const { hash } = structuredContent as { hash: string };
  workspace.put('a.txt', 'another writer');
  const [error] = await workspace.say(client, 'write_file', {
    path: 'a.txt',
    content: 'two',
    expectedHash: hash,
  });
  expect(error).toBe('ERROR');
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('another writer');
});

test('write_file with append keeps the encoding of the file and creates a missing file', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\n', 'b.txt': Buffer.from('\ufeffone\n', 'utf16le') });
  await using client = await workspace.connect();
  const append = (path: string, content: string, more = {}) =>
    workspace.say(client, 'write_file', { path, content, append: true, ...more });
  const { ino } = statSync(join(workspace.root, 'a.txt'));
  expect(await append('a.txt', 'two\n')).toEqual(['Appended to a.txt (4 bytes)']);
  expect(statSync(join(workspace.root, 'a.txt')).ino).toBe(ino);
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  await append('b.txt', 'é');
  expect(readFileSync(join(workspace.root, 'b.txt'), 'utf16le')).toBe('\ufeffone\né');
  expect(await append('new.txt', 'first')).toEqual(['Created new.txt (5 bytes)\nUndo: delete_file']);
  expect(await append('a.txt', 'x', { expectedHash: 'f00' })).toEqual([
    'ERROR',
    'Changed since it was read (its SHA-256 is now c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8); read it again: "a.txt"',
  ]);
  expect(await append('missing/new.txt', 'x')).toEqual([
    'ERROR',
    'No such directory: "missing"; create this directory first',
  ]);
});

test('fifty concurrent appends to one file all take effect', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}\n`);
  await Promise.all(
    lines.map((content) => client.callTool('write_file', { path: 'log', content, append: true })),
  );
  expect(readFileSync(join(workspace.root, 'log'), 'utf8').split('\n').toSorted()).toEqual(
    lines.join('').split('\n').toSorted(),
  );
});

test('a read-only server does not list write_file', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect({ readOnly: true });
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names).not.toContain('write_file');
  const reading = await client.listTools();
  expect(reading.filter(({ annotations }) => !annotations?.['readOnlyHint'])).toEqual([]);
  await expect(client.callTool('write_file', { path: 'a', content: '' })).rejects.toThrow(
    'Unknown tool: "write_file"',
  );
});

test('write_file sets and clears the executable bit, with content or without', async () => {
  using workspace = new Workspace({ 'run.sh': 'echo' });
  await using client = await workspace.connect();
  const write = (args: object) => workspace.say(client, 'write_file', { ...args });
  const mode = (path: string) => (statSync(join(workspace.root, path)).mode & 0o777).toString(8);
  chmodSync(join(workspace.root, 'run.sh'), 0o640);
  expect(await write({ path: 'run.sh', executable: true })).toEqual([
    'Mode of run.sh: 640 → 750; executable false restores it',
  ]);
  expect(await write({ path: 'run.sh', executable: false })).toEqual([
    'Mode of run.sh: 750 → 640; executable true restores it',
  ]);
  expect(readFileSync(join(workspace.root, 'run.sh'), 'utf8')).toBe('echo');
  await write({ path: 'new/deep/a.sh', content: 'x', executable: true, parents: true });
  expect(mode('new/deep/a.sh')).toBe((0o777 & ~process.umask()).toString(8));
  expect(await write({ path: 'run.sh' })).toEqual(['ERROR', 'Give content, executable, or both']);
  expect(await write({ path: 'new', executable: true })).toEqual([
    'ERROR',
    'Is a directory, not a file: "new"',
  ]);
});

test('write_file changes no mode and creates no directory outside', async () => {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  symlinkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'link'));
  const { mode } = statSync(join(workspace.outside, 'secret.txt'));
  for (const path of ['link', 'out/secret.txt', '../outside/secret.txt'])
    expect(await workspace.say(client, 'write_file', { path, executable: true })).toEqual([
      'ERROR',
      `Outside the allowed directories: "${path}"`,
    ]);
  const [error] = await workspace.say(client, 'write_file', { path: 'out/a/b', content: '', parents: true });
  expect(error).toBe('ERROR');
  expect(statSync(join(workspace.outside, 'secret.txt')).mode).toBe(mode);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
});
