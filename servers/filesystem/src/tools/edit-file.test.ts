import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const edit = (oldText: string, newText: string) => ({ oldText, newText });

test('edit_file replaces text and returns the diff', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\ntwo\nthree\n' });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'edit_file', { path: 'a.txt', edits: [edit('two', 'TWO')] })).toEqual([
    '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
  ]);
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\nTWO\nthree\n');
});

test('edit_file with dryRun returns the diff and writes nothing', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\n' });
  await using client = await workspace.connect();
  const said = await workspace.say(client, 'edit_file', {
    path: 'a.txt',
    edits: [edit('one', '1')],
    dryRun: true,
  });
  expect(said).toEqual([
    '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+1\n\nDry run: nothing was written; the SHA-256 of the file is 2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806',
  ]);
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('edit_file changes nothing when one of several edits does not match', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\ntwo\n' });
  await using client = await workspace.connect();
  const edits = [edit('one', '1'), edit('missing', 'x')];
  const [error] = await workspace.say(client, 'edit_file', { path: 'a.txt', edits });
  expect(error).toBe('ERROR');
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('twenty concurrent edits of one file all take effect', async () => {
  const tokens = Array.from({ length: 20 }, (_, index) => `token${index}.`);
  using workspace = new Workspace({ 'a.txt': tokens.join('\n') });
  await using client = await workspace.connect();
  await Promise.all(
    tokens.map((token) =>
      client.callTool('edit_file', { path: 'a.txt', edits: [edit(token, `${token}done`)] }),
    ),
  );
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe(
    tokens.map((token) => `${token}done`).join('\n'),
  );
});

test.each([
  ['edit_file', { edits: [{ oldText: 'one', newText: 'two' }], preview: true }, 'preview'],
  ['write_file', { content: 'two', expected_hash: 'x' }, 'expected_hash'],
])('%s refuses an unknown argument and leaves the file unchanged', async (tool, args, name) => {
  using workspace = new Workspace({ 'a.txt': 'one' });
  await using client = await workspace.connect();
  const [kind, said] = await workspace.say(client, tool, { path: 'a.txt', ...args });
  expect(kind).toBe('ERROR');
  expect(said).toContain(name);
  expect(await workspace.say(client, 'read_text_file', { path: 'a.txt' })).toEqual(['one']);
});
