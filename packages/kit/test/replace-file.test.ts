import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isTemporary, replaceFile, replaceFileSync } from '../src/node.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const both = [
  ['replaceFile', replaceFile],
  ['replaceFileSync', async (path: string, text: string) => replaceFileSync(path, text)],
] as const;

test.each(both)(
  '%s creates the directory, for its user alone, and leaves no other file',
  async (_, replace) => {
    const path = join(temporaryDirectory(), 'new/file.json');
    await replace(path, 'one');
    await replace(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(join(path, '..'))).toEqual(['file.json']);
    if (process.platform === 'win32') return;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  },
);

test.each(both)('%s that fails leaves the file and no other', async (_, replace) => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'file/inside'), { recursive: true });
  await expect(replace(join(directory, 'file'), 'text')).rejects.toThrow();
  expect(readdirSync(directory)).toEqual(['file']);
  writeFileSync(join(directory, 'no-directory'), '');
  await expect(replace(join(directory, 'no-directory/file'), 'text')).rejects.toThrow();
});

test('the last step before a file is replaced may keep it', async () => {
  const path = join(temporaryDirectory(), 'file');
  await replaceFile(path, 'one');
  const verify = async () => {
    expect(readdirSync(join(path, '..')).some(isTemporary)).toBe(true);
    throw new Error('not now');
  };
  await expect(replaceFile(path, 'two', { verify })).rejects.toThrow('not now');
  expect(readFileSync(path, 'utf8')).toBe('one');
  expect(readdirSync(join(path, '..'))).toEqual(['file']);
});

test('a file that is being written is told by its name', async () => {
  const directory = temporaryDirectory();
  const writing = replaceFile(join(directory, 'a.json'), 'x'.repeat(10_000_000));
  await vi.waitUntil(() => readdirSync(directory).some(isTemporary), { interval: 1 });
  await writing;
  expect(['a.json', 'a.json.tmp', 'notes.1-2.tmp'].filter(isTemporary)).toEqual([]);
});

test('a reader finds the old text or a new one, while several writers replace it', async () => {
  const path = join(temporaryDirectory(), 'file');
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
  await replaceFile(path, texts[0]!);
  let writing = true;
  const written = Promise.all(texts.map((text) => replaceFile(path, text))).finally(() => (writing = false));
  while (writing) {
    expect(texts).toContain(readFileSync(path, 'utf8'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await written;
  expect(readdirSync(join(path, '..'))).toEqual(['file']);
});

const promises = process.getBuiltinModule('node:fs/promises');
const files = process.getBuiltinModule('node:fs');

/** Makes the next renames fail as on a system where another program has the file open. */
function failRenames(platform: NodeJS.Platform, count: number): void {
  const error = Object.assign(new Error('EPERM: rename'), { code: 'EPERM' });
  const [renames, syncRenames] = [vi.spyOn(promises, 'rename'), vi.spyOn(files, 'renameSync')];
  for (let call = 0; call < count; call++) {
    renames.mockRejectedValueOnce(error);
    syncRenames.mockImplementationOnce(() => {
      throw error;
    });
  }
  vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }));
}

describe('while another program has the file open', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  test.each(both)('%s tries again on Windows', async (_, replace) => {
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, 'one');
    failRenames('win32', 3);
    await replace(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
  });

  test.each(both)('%s fails on Windows if the file stays open, and leaves no other', async (_, replace) => {
    const path = join(temporaryDirectory(), 'file');
    failRenames('win32', 6);
    await expect(replace(path, 'two')).rejects.toThrow('EPERM');
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test.each(both)('%s does not try again on other systems', async (_, replace) => {
    const path = join(temporaryDirectory(), 'file');
    failRenames('linux', 1);
    await expect(replace(path, 'two')).rejects.toThrow('EPERM');
  });
});
