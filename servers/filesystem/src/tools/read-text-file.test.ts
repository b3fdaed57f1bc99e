import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('read_text_file returns a file, its first lines or its last lines', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\ntwo\nthree\n' });
  await using client = await workspace.connect();
  const read = (args: object) => workspace.say(client, 'read_text_file', { path: 'a.txt', ...args });
  expect(await read({})).toEqual(['one\ntwo\nthree\n']);
  expect(await read({ head: 2 })).toEqual(['one\ntwo']);
  expect(await read({ tail: 1 })).toEqual(['three']);
  expect(await read({ head: 1, tail: 1 })).toEqual([
    'ERROR',
    'Give only one of head, tail, and offset with limit',
  ]);
});

test('read_text_file refuses a number of lines that is not a positive integer', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\n' });
  await using client = await workspace.connect();
  for (const head of [0, -3, 0.5, 'two']) {
    const [error, message] = await workspace.say(client, 'read_text_file', { path: 'a.txt', head });
    expect([error, message]).toEqual([
      'ERROR',
      expect.stringMatching(
        /^Invalid arguments for read_text_file: (Argument "head" must be an integer|head: )/,
      ),
    ]);
  }
});

test('read_text_file says that a file is longer than the text it returns', async () => {
  using workspace = new Workspace({ 'long.txt': 'x'.repeat(5_000_000) });
  await using client = await workspace.connect();
  const [text = '', note] = await workspace.say(client, 'read_text_file', { path: 'long.txt' });
  expect(text.length).toBe(38_000);
  expect(note).toBe(
    'Cut off in line 1; the file has 5000000 bytes. read_text_file with limit 1 shows up to 1 MiB of it.',
  );
});

test('read_text_file reports a path that cannot be read', async () => {
  using workspace = new Workspace({ 'sub/a.txt': '' });
  await using client = await workspace.connect();
  const read = (path: string) => workspace.say(client, 'read_text_file', { path });
  expect(await read('missing.txt')).toEqual(['ERROR', 'No such file: "missing.txt"']);
  expect(await read('sub')).toEqual(['ERROR', 'Is a directory, not a file: "sub"']);
  expect(await read('../outside/secret.txt')).toEqual([
    'ERROR',
    'Outside the allowed directories: "../outside/secret.txt"',
  ]);
});

test('read_text_file returns a range of numbered lines and the offset to continue', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\ntwo\r\nthree\nfour', 'one.txt': 'one\n' });
  await using client = await workspace.connect();
  const read = (args: object) => workspace.say(client, 'read_text_file', { path: 'a.txt', ...args });
  expect(await read({ offset: 2 })).toEqual(['2\ttwo\n3\tthree\n4\tfour']);
  expect(await read({ offset: 2, limit: 2 })).toEqual([
    '2\ttwo\n3\tthree',
    'There is more; continue with offset 4.',
  ]);
  expect(await read({ limit: 1 })).toEqual(['1\tone', 'There is more; continue with offset 2.']);
  expect(await read({ offset: 9 })).toEqual(['ERROR', 'The file has only 4 lines: "a.txt"']);
  expect(await read({ path: 'one.txt', offset: 9 })).toEqual([
    'ERROR',
    'The file has only 1 line: "one.txt"',
  ]);
});

test('read_text_file with offset returns up to 38 kB with its line numbers, and continues without a gap', async () => {
  const lines = Array.from({ length: 30_000 }, (_, line) => (line % 3 === 0 ? '' : `line ${line + 1}`));
  using workspace = new Workspace({
    'a.txt': lines.join('\n'),
    'utf16.txt': Buffer.from(`\ufeff${lines.join('\n')}`, 'utf16le'),
    'long.txt': `${'x'.repeat(200_000)}\nlast`,
  });
  await using client = await workspace.connect();
  for (const path of ['a.txt', 'utf16.txt']) {
    const read: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const [text = '', note] = await workspace.say(client, 'read_text_file', { path, offset });
      expect(text.length).toBeLessThanOrEqual(38_000);
      read.push(...text.split('\n'));
      const [, next] = /^There is more; continue with offset (\d+)\.$/.exec(note ?? '') ?? [];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(read).toEqual(lines.map((line, index) => `${index + 1}\t${line}`));
  }
  const long = await workspace.say(client, 'read_text_file', { path: 'long.txt', offset: 1 });
  expect(long[0]).toHaveLength('1\t'.length + 38_000);
  expect(long[1]).toBe(
    'Cut off in line 1. read_text_file with offset 1 and limit 1 shows up to 1 MiB of it. Lines after it, if any, begin at offset 2.',
  );
  const limited = await workspace.say(client, 'read_text_file', { path: 'long.txt', offset: 1, limit: 1 });
  expect(limited[0]).toHaveLength('1\t'.length + 200_000);
  expect(limited[1]).toBe('There is more; continue with offset 2.');
});

test('read_file is an alias of read_text_file', async () => {
  using workspace = new Workspace({ 'a.txt': 'one\ntwo\n' });
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'read_file', { path: 'a.txt' })).toEqual(['one\ntwo\n']);
  expect(await workspace.say(client, 'read_file', { path: 'a.txt', head: 1 })).toEqual(['one']);
});
