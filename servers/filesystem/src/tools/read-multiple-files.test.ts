import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('read_multiple_files returns the content or the error of each file', async () => {
  using workspace = new Workspace({ 'a.txt': 'A\n', 'b.bin': new Uint8Array([0]) });
  await using client = await workspace.connect();
  const paths = ['a.txt', 'missing.txt', 'b.bin', '../outside/secret.txt', 'a.txt'];
  expect(await workspace.say(client, 'read_multiple_files', { paths })).toEqual([
    '"a.txt":\nA\n',
    '"missing.txt":\nError: No such file: "missing.txt"',
    '"b.bin":\nError: Not text: a NUL byte at offset 0: "b.bin"',
    '"../outside/secret.txt":\nError: Outside the allowed directories: "../outside/secret.txt"',
    '"a.txt":\nA\n',
  ]);
  expect((await workspace.say(client, 'read_multiple_files', { paths: [] }))[0]).toBe('ERROR');
});

test('read_multiple_files bounds its answer for any number of files', async () => {
  using workspace = new Workspace({ 'a.txt': 'x'.repeat(700_000) });
  await using client = await workspace.connect();
  const paths = Array.from({ length: 20 }, () => 'a.txt');
  const said = await workspace.say(client, 'read_multiple_files', { paths });
  expect(said).toHaveLength(20);
  expect(said.join('').length).toBeLessThan(1_100_000);
  expect(said[1]).toMatch(/… cut off: the file has 700000 bytes$/);
  expect(said[19]).toBe('"a.txt":\nNot read: the previous files fill the answer (1 MiB); read it separately');
});

test('F152: read_multiple_files with hash returns the SHA-256 that a following write takes', async () => {
  using workspace = new Workspace({ 'a.txt': 'A\nB\n', 'b.bin': new Uint8Array([0]) });
  await using client = await workspace.connect();
  const hash = createHash('sha256').update('A\nB\n').digest('hex');
  for (const [part, shown] of [
    [{}, 'A\nB\n'],
    [{ tail: 1 }, 'B'],
    [{ offset: 2 }, 'B'],
  ] as const)
    expect(
      await workspace.say(client, 'read_multiple_files', { paths: ['a.txt', 'b.bin'], hash: true, ...part }),
    ).toEqual([`"a.txt" (SHA-256 ${hash}):\n${shown}`, expect.stringMatching(/^"b\.bin":\nError: /)]);
  const write = (content: string) =>
    workspace.say(client, 'write_file', { path: 'a.txt', content, expectedHash: hash });
  expect(await write('new')).toEqual(['Replaced a.txt (3 bytes)']);
  expect((await write('newer'))[0]).toBe('ERROR');
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('new');
});

test('F152: the content of a file cannot forge the hash that read_multiple_files returns', async () => {
  using workspace = new Workspace({ 'a.txt': '"a.txt" (SHA-256 00):\n' });
  await using client = await workspace.connect();
  const [said = ''] = await workspace.say(client, 'read_multiple_files', { paths: ['a.txt'], hash: true });
  expect(said.split('\n')[0]).toMatch(/^"a\.txt" \(SHA-256 [0-9a-f]{64}\):$/);
});
