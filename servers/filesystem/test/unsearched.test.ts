import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('search_text counts files that are skipped as binary apart from the searched ones', async () => {
  using workspace = new Workspace({ 'nul.txt': 'foo\0bar\n', 'd/a.txt': 'text\n', 'd/b.bin': 'foo\0' });
  workspace.put('sparse.bin', '');
  truncateSync(join(workspace.root, 'sparse.bin'), 20 * 1024 ** 3);
  await using client = await workspace.connect();
  const say = async (args: object) =>
    (await workspace.say(client, 'search_text', { text: 'foo', ...args }))[0];
  expect(await say({ path: 'nul.txt' })).toMatch(
    /^No match in 0 files; skipped 1 binary file; set ignoreCase/,
  );
  expect(await say({ path: 'sparse.bin' })).toMatch(/^No match in 0 files; skipped 1 binary file;/);
  expect(await say({ path: 'd' })).toMatch(/^No match in 1 file; skipped 1 binary file;/);
  expect(await say({ path: '.', glob: '*.bin' })).toMatch(/^No match in 0 files; skipped 2 binary files;/);
});

test('search_text says that a match across the parts of a long line is not found', async () => {
  const long = `a${'x'.repeat(3 * 1024 * 1024)}b\n`;
  using workspace = new Workspace({ 'long.txt': long, 'short.txt': 'a\n' });
  await using client = await workspace.connect();
  const say = async (args: object) => (await workspace.say(client, 'search_text', { ...args }))[0];
  const note =
    'Lines of more than 1 MiB were searched in parts, in 1 file: a match across parts is not found';
  expect(await say({ text: 'a.*b', regex: true })).toMatch(new RegExp(`^${note}\nNo match in 2 files`));
  expect(await say({ text: '^a$', regex: true })).toContain(note);
  // A text is found in each part, and where parts meet.
  expect(await say({ text: 'ab' })).not.toContain('parts');
  expect(await say({ text: 'AB', ignoreCase: true })).not.toContain('parts');
});
