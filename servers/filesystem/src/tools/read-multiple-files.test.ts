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

test.each([{}, { head: 1_000 }, { tail: 1_000 }, { offset: 1 }, { limit: 1_000 }])(
  'read_multiple_files with %j returns up to 38 kB, and all files over its pages',
  async (part) => {
    const lines = Array.from({ length: 500 }, (_, line) => `line ${line} of some text`).join('\n');
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, file) => [`f${file + 10}.txt`, lines]));
    using workspace = new Workspace(files);
    await using client = await workspace.connect();
    for (const which of [{ glob: '*.txt' }, { paths: Object.keys(files) }]) {
      const seen: string[] = [];
      for (let skip: number | undefined = 0; skip !== undefined;) {
        const said = await workspace.say(client, 'read_multiple_files', { ...which, ...part, skip });
        expect(said.join('').length).toBeLessThan(40_000);
        const blocks = said.filter((block) => block.startsWith('"'));
        for (const block of blocks) expect(block).toContain('line 499 of some text');
        seen.push(...blocks.map((block) => block.slice(1, block.indexOf('"', 1))));
        const [, next] = /continue with skip (\d+)$/.exec(said.at(-1)!) ?? [];
        skip = next === undefined ? undefined : Number(next);
        if (skip !== undefined)
          expect(said.at(-1)).toBe(
            `Files ${seen.length - blocks.length + 1} to ${skip} of 20; continue with skip ${skip}`,
          );
      }
      expect(seen).toEqual(Object.keys(files));
    }
    expect(await workspace.say(client, 'read_multiple_files', { glob: '*', skip: 20 })).toEqual([
      'ERROR',
      'skip is 20, and there are only 20 files',
    ]);
  },
);

test('read_multiple_files cuts a file that is longer than an answer, and continues with the next', async () => {
  using workspace = new Workspace({
    'a.txt': 'some words\n'.repeat(30_000),
    'b.txt': 'b',
    'c.txt': 'x'.repeat(90_000),
  });
  await using client = await workspace.connect();
  const read = (args: object) =>
    workspace.say(client, 'read_multiple_files', { paths: ['a.txt', 'b.txt', 'c.txt'], ...args });
  const [first = '', ...more] = await read({});
  const count = Math.floor((38_000 - '"a.txt"'.length) / 11);
  expect(first.split('\n')[0]).toBe(
    `"a.txt" (These are lines 1 to ${count}; the file has 330000 bytes. Continue with offset ${count + 1}.):`,
  );
  expect(more).toEqual(['Files 1 to 1 of 3; continue with skip 1']);
  expect(await read({ skip: 1 })).toEqual(['"b.txt":\nb', 'Files 2 to 2 of 3; continue with skip 2']);
  expect((await read({ skip: 2 }))[0]).toMatch(
    /^"c\.txt" \(Cut off in line 1; the file has 90000 bytes\. read_text_file with limit 1 shows up to 1 MiB of it\.\):\nx+$/,
  );
});

test('more of a long line comes from the call that is named, and no call is named that returns the same', async () => {
  using workspace = new Workspace({ 'a.txt': `a\n${'x'.repeat(90_000)}`, 'b.txt': 'x'.repeat(1_100_000) });
  await using client = await workspace.connect();
  const read = (tool: string, args: object) => workspace.say(client, tool, { ...args });
  const paths = ['a.txt'];
  const [ranged] = await read('read_multiple_files', { paths, offset: 2, limit: 1 });
  expect(ranged).toContain(
    '(Cut off in line 2. read_text_file with offset 2 and limit 1 shows up to 1 MiB of it.',
  );
  const args = { path: 'a.txt', offset: 2, limit: 1 };
  expect(await read('read_text_file', args)).toEqual([`2\t${'x'.repeat(90_000)}`]);
  const [last] = await read('read_multiple_files', { paths, tail: 1 });
  expect(last).toContain('read_text_file with head or tail 1 shows up to 1 MiB of it.');
  expect(await read('read_text_file', { path: 'a.txt', tail: 1 })).toEqual(['x'.repeat(90_000)]);
  for (const part of [{ head: 1 }, { limit: 1 }])
    expect((await read('read_text_file', { path: 'b.txt', ...part }))[1]).not.toContain('shows');
});

test('read_multiple_files numbers a range of lines as read_text_file does, and says where there is more', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'four\nfive' });
  await using client = await workspace.connect();
  const read = (args: object) =>
    workspace.say(client, 'read_multiple_files', { paths: ['a.txt', 'b.txt'], ...args });
  expect(await read({ offset: 2 })).toEqual(['"a.txt":\n2\ttwo\n3\tthree', '"b.txt":\n2\tfive']);
  expect(await read({ limit: 2 })).toEqual([
    '"a.txt" (There is more; continue with offset 3.):\n1\tone\n2\ttwo',
    '"b.txt":\n1\tfour\n2\tfive',
  ]);
});

test('read_multiple_files with hash returns the SHA-256 that a following write takes', async () => {
  using workspace = new Workspace({ 'a.txt': 'A\nB\n', 'b.bin': new Uint8Array([0]) });
  await using client = await workspace.connect();
  const hash = createHash('sha256').update('A\nB\n').digest('hex');
  for (const [part, shown] of [
    [{}, 'A\nB\n'],
    [{ tail: 1 }, 'B'],
    [{ offset: 2 }, '2\tB'],
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

test('the content of a file cannot forge the hash that read_multiple_files returns', async () => {
  using workspace = new Workspace({ 'a.txt': '"a.txt" (SHA-256 00):\n' });
  await using client = await workspace.connect();
  const [said = ''] = await workspace.say(client, 'read_multiple_files', { paths: ['a.txt'], hash: true });
  expect(said.split('\n')[0]).toMatch(/^"a\.txt" \(SHA-256 [0-9a-f]{64}\):$/);
});
