import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileTaskStore, memoryTaskStore, type TaskStore } from '@mcp/protocol/tasks';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tasks-'));
});
afterEach(() => rm(directory, { recursive: true }));

const stores: readonly (readonly [name: string, make: () => TaskStore])[] = [
  ['memory', () => memoryTaskStore()],
  ['files', () => fileTaskStore(join(directory, 'not', 'yet', 'there'))],
];

describe.each(stores)('tasks in %s', (_, make) => {
  test('a value is stored until it is deleted', async () => {
    const store = make();
    expect(await store.get('a')).toBeUndefined();
    expect(await store.keys()).toEqual([]);
    await store.set('a', '1');
    await store.set('b', '2');
    await store.set('a', 'ü\u0000\n');
    expect(await store.get('a')).toBe('ü\u0000\n');
    expect((await store.keys()).toSorted()).toEqual(['a', 'b']);
    await store.delete('a');
    await store.delete('a');
    expect(await store.get('a')).toBeUndefined();
    expect(await store.keys()).toEqual(['b']);
  });

  test.each(['../a', '..', '.', 'a/b', 'a\\b', '%', '%2e%2e', 'ü', 'a b', 'CON', 'a.json', ''])(
    'any text is a valid key: "%s"',
    async (key) => {
      const store = make();
      await store.set(key, 'text');
      expect(await store.get(key)).toBe('text');
      expect(await store.keys()).toEqual([key]);
      await store.delete(key);
      expect(await store.keys()).toEqual([]);
    },
  );

  test('a read during writes returns one of the texts, complete', async () => {
    const store = make();
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000));
    await store.set('key', texts[0]!);
    const writing = texts.map((text) => store.set('key', text));
    const seen = await Promise.all(Array.from({ length: 20 }, () => store.get('key')));
    await Promise.all(writing);
    for (const text of [...seen, await store.get('key')]) expect(texts).toContain(text);
    expect(await store.keys()).toEqual(['key']);
  });
});

test('a full memory store refuses values until one is deleted', async () => {
  const store = memoryTaskStore({ maxLength: 10 });
  await store.set('a', '12345');
  await store.set('b', '12345');
  await expect(store.set('b', '123456')).rejects.toThrow(
    'The store of tasks is full: it has at most 10 characters',
  );
  expect(await store.get('b')).toBe('12345');
  await store.delete('a');
  await store.delete('never there');
  await store.set('b', '1234567890');
});

test('files remain after the store that wrote them is gone', async () => {
  await fileTaskStore(directory).set('a', '1');
  expect(await fileTaskStore(directory).get('a')).toBe('1');
});

test('only the owner can read the files', async (context) => {
  context.skip(process.platform === 'win32', 'Windows has no permission bits');
  const inner = join(directory, 'inner');
  await fileTaskStore(inner).set('a', '1');
  expect((await stat(inner)).mode & 0o777).toBe(0o700);
  expect((await stat(join(inner, 'a.json'))).mode & 0o777).toBe(0o600);
});

test('abandoned temporary files are deleted, and foreign files stay', async () => {
  const store = fileTaskStore(directory);
  const left = ['a.json.1-00000000.tmp', 'a.json.2-00000000.tmp'];
  for (const name of [...left, 'notes.txt', '%zz.json']) await writeFile(join(directory, name), '{');
  await utimes(join(directory, left[0]!), 0, 0);
  expect(await store.keys()).toEqual([]);
  expect(await readdir(directory)).toEqual(['%zz.json', left[1], 'notes.txt']);
});

test('a directory that cannot be created is an error', async () => {
  await writeFile(join(directory, 'file'), '');
  await expect(fileTaskStore(join(directory, 'file')).set('a', '1')).rejects.toThrow();
});
