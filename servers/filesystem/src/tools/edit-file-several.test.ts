import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorMessage } from '@mcp/test-kit';
import { Workspace } from '../../test/workspace.ts';

const rename = { oldText: 'fetchUser', newText: 'loadUser', count: 0 };

async function openWorkspace(files: Record<string, string | Uint8Array>) {
  const workspace = new Workspace(files);
  const client = await workspace.connect();
  const edit = (args: object) => workspace.say(client, 'edit_file', { ...args });
  const content = (path: string) => readFileSync(join(workspace.root, path), 'utf8');
  return { workspace, client, edit, content };
}

test('edit_file replaces a text in all files that match a glob and counts per file', async () => {
  const { workspace, client, edit, content } = await openWorkspace({
    'src/a.ts': 'fetchUser(fetchUser)\n',
    'src/deep/b.ts': 'await fetchUser()\n',
    'src/c.ts': 'nothing\n',
    'src/d.js': 'fetchUser\n',
    'node_modules/x/e.ts': 'fetchUser\n',
    'src/image.ts': Buffer.from('fetchUser\0'),
  });
  using _ = workspace;
  await using __ = client;
  expect(await edit({ path: 'src', glob: '*.ts', edits: [rename] })).toEqual([
    [
      '2 src/a.ts',
      '1 src/deep/b.ts',
      'Replaced 3 occurrences in 2 files',
      'Undo: edit_file with oldText and newText exchanged',
    ].join('\n'),
  ]);
  expect(content('src/a.ts')).toBe('loadUser(loadUser)\n');
  expect(content('src/d.js')).toBe('fetchUser\n');
  expect(content('node_modules/x/e.ts')).toBe('fetchUser\n');
  const opposite = { oldText: 'loadUser', newText: 'fetchUser', count: 0 };
  await edit({ path: 'src', glob: '*.ts', edits: [opposite] });
  expect(content('src/a.ts')).toBe('fetchUser(fetchUser)\n');
});

test('edit_file names no undo where the new text occurred before', async () => {
  const { workspace, client, edit } = await openWorkspace({ 'a.ts': 'fetchUser', 'b.ts': 'loadUser' });
  using _ = workspace;
  await using __ = client;
  const [said] = await edit({ glob: '*.ts', edits: [rename] });
  expect(said).toBe('1 a.ts\nReplaced 1 occurrence in 1 file');
});

test('a dry run of several files returns their diffs, and its hash refuses files changed since', async () => {
  const { workspace, client, edit, content } = await openWorkspace({
    'a.ts': 'fetchUser\n',
    'b.ts': 'fetchUser\n',
  });
  using _ = workspace;
  await using __ = client;
  const args = { paths: ['a.ts', 'b.ts'], edits: [rename] };
  const [dry = ''] = await edit({ ...args, dryRun: true });
  expect(dry).toContain('--- b.ts\n+++ b.ts\n@@ -1 +1 @@\n-fetchUser\n+loadUser\n');
  expect(dry).toContain('1 a.ts\n1 b.ts\nWould replace 2 occurrences in 2 files\n');
  const expectedHash = /[0-9a-f]{64}$/.exec(dry)?.[0];
  workspace.put('b.ts', 'fetchUser // more\n');
  expect(await edit({ ...args, expectedHash })).toEqual([
    'ERROR',
    'Nothing was changed. The files changed since they were read; run the edit with dryRun again',
  ]);
  expect(content('a.ts')).toBe('fetchUser\n');
  workspace.put('b.ts', 'fetchUser\n');
  expect((await edit({ ...args, expectedHash }))[0]).toMatch(/^1 a\.ts\n1 b\.ts\n/);
  const cut = await edit({ ...args, edits: [{ ...rename, oldText: 'loadUser', newText: 'x' }], maxDiff: 30 });
  expect(cut[0]).toContain('… the diff is cut; set maxDiff to see more');
  const back = [{ ...rename, oldText: 'x', newText: 'loadUser' }];
  for (const dryRun of [true, false])
    expect((await edit({ ...args, edits: back, maxDiff: 0, dryRun }))[0]).not.toContain('is cut');
});

test('an edit of several files changes none of them when it fails in one', async () => {
  const { workspace, client, edit, content } = await openWorkspace({
    'a.txt': 'one',
    'b.txt': 'one one',
    'c.bin': Buffer.from('one\xff', 'latin1'),
  });
  using _ = workspace;
  await using __ = client;
  const edits = [{ oldText: 'one', newText: 'two' }];
  const refused = async (paths: string[]) => (await edit({ paths, edits })).join('\n');
  expect(await refused(['a.txt', 'b.txt'])).toMatch(
    /^ERROR\nNothing was changed. "b\.txt": oldText occurs 2 times/,
  );
  expect(await refused(['a.txt', 'c.bin'])).toMatch(/^ERROR\nNothing was changed. Not text: byte 0xff/);
  expect(await refused(['a.txt', 'missing'])).toBe('ERROR\nNothing was changed. No such file: "missing"');
  expect(await refused(['a.txt', '../outside/secret.txt'])).toMatch(
    /^ERROR\nNothing was changed. Outside the allowed directories/,
  );
  const [, unused] = await edit({ paths: ['a.txt'], edits: [...edits, { oldText: 'six', newText: '' }] });
  expect(unused).toBe('Nothing was changed. Edit 2 of 2: oldText does not occur in any of 1 files: "six"');
  expect(content('a.txt')).toBe('one');
  expect(await edit({ paths: ['a.txt', 'a.txt', './a.txt'], edits })).toEqual([
    '1 a.txt\nReplaced 1 occurrence in 1 file\nUndo: edit_file with oldText and newText exchanged',
  ]);
});

test('a file that cannot be written is restored with all others', async (context) => {
  const { workspace, client, content } = await openWorkspace({ 'a.txt': 'one', 'b/b.txt': 'one' });
  using _ = workspace;
  await using __ = client;
  const directory = join(workspace.root, 'b');
  try {
    execFileSync('chattr', ['+i', join(directory, 'b.txt')], { stdio: 'ignore' });
  } catch {
    context.skip('Requires root and a file system with the immutable attribute');
  }
  try {
    const edits = [{ oldText: 'one', newText: 'two' }];
    const message = await errorMessage(() => workspace.open().edit(['a.txt', 'b/b.txt'], edits));
    expect(message).toMatch(/^(Nothing was changed\. )?Permission denied|Nothing was changed\. EPERM/);
    expect(content('a.txt')).toBe('one');
  } finally {
    execFileSync('chattr', ['-i', join(directory, 'b.txt')]);
  }
});

test('a cancelled edit of several files restores those that were written', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `f${index}.txt`);
  const { workspace, client, content } = await openWorkspace(
    Object.fromEntries(names.map((name) => [name, 'one'])),
  );
  using _ = workspace;
  await using __ = client;
  const controller = new AbortController();
  let calls = 0;
  const work = workspace.open().edit(names, [{ oldText: 'one', newText: 'two' }], {
    signal: controller.signal,
    // Called after each file that was written.
    progress: () => ++calls === 10 && controller.abort(new Error('Enough')),
  });
  expect(await errorMessage(() => work)).toBe('Nothing was changed. Enough');
  expect(calls).toBe(10);
  expect(new Set(names.map(content))).toEqual(new Set(['one']));
});

test('a glob of edit_file touches nothing outside through links', async () => {
  const { workspace, client, edit, content } = await openWorkspace({ 'a.txt': 'SECRET' });
  using _ = workspace;
  await using __ = client;
  symlinkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'link.txt'));
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  const edits = [{ oldText: 'SECRET', newText: 'x' }];
  expect((await edit({ glob: '**', edits }))[0]).toMatch(/^1 a\.txt\nReplaced 1 occurrence in 1 file/);
  expect((await edit({ path: 'out', glob: '*', edits }))[1]).toBe('Outside the allowed directories: "out"');
  for (const glob of ['../outside/*', '/etc/*']) expect((await edit({ glob, edits }))[0]).toBe('ERROR');
  expect((await edit({ paths: ['a.txt', 'link.txt'], edits }))[1]).toBe(
    'Nothing was changed. Outside the allowed directories: "link.txt"',
  );
  expect(readFileSync(join(workspace.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  expect(content('a.txt')).toBe('x');
});

test('an edit of several files writes nothing outside when a directory becomes a link meanwhile', async () => {
  const { workspace, client } = await openWorkspace({ 'a.txt': 'one', 'dir/secret.txt': 'SECRET one' });
  using _ = workspace;
  await using __ = client;
  writeFileSync(join(workspace.outside, 'secret.txt'), 'SECRET one');
  const at = (path: string) => join(workspace.root, path);
  const work = workspace.open().edit(['a.txt', 'dir/secret.txt'], [{ oldText: 'one', newText: 'two' }], {
    progress: () => {
      renameSync(at('dir'), at('moved'));
      symlinkSync(workspace.outside, at('dir'));
    },
  });
  await work.catch(() => {});
  expect(readFileSync(join(workspace.outside, 'secret.txt'), 'utf8')).toBe('SECRET one');
});

test('edit_file reads 10,000 files and changes at most 1,000 per call', async () => {
  using workspace = new Workspace();
  mkdirSync(join(workspace.root, 'many'));
  writeFileSync(join(workspace.outside, 'two.txt'), 'two');
  for (let index = 0; index < 10_000; index++)
    if (index < 20) writeFileSync(join(workspace.root, 'many', `f${index}`), 'one');
    else linkSync(join(workspace.outside, 'two.txt'), join(workspace.root, 'many', `f${index}`));
  await using client = await workspace.connect();
  const edit = (oldText: string) =>
    workspace.say(client, 'edit_file', { path: 'many', glob: '*', edits: [{ oldText, newText: 'x' }] });
  expect((await edit('one'))[0]).toMatch(/… 15 more files\nReplaced 20 occurrences in 20 files/);
  expect(await edit('two')).toEqual([
    'ERROR',
    'Nothing was changed. The edits change more than 1000 files or 67108864 bytes; give fewer files per call',
  ]);
});
