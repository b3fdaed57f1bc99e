import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { KeepDirectory, type KeepOptions, type Sandbox } from '@mcp/sandbox';
import { Workspace } from './workspace.ts';

vi.setConfig({ testTimeout: 120_000 });

const old = new Date('2020-02-02T02:02:02.123Z');

class Keeping extends Workspace {
  readonly keepPath = join(this.base, 'keep');

  /** Opens a sandbox that keeps what is changed. */
  keeping(options: Partial<KeepOptions> = {}): Sandbox {
    const keep = KeepDirectory.open({ directory: this.keepPath, ...options });
    return this.open({ keep });
  }
}

function openWorkspace(): Keeping {
  const workspace = new Keeping({
    'a.txt': 'one\n',
    'b.txt': 'one one\n',
    'sub/c.txt': 'three\n',
    'sub/deep/d.bin': Buffer.from([0, 255, 1]),
  });
  const at = (path: string) => join(workspace.root, path);
  chmodSync(at('a.txt'), 0o640);
  chmodSync(at('sub'), 0o750);
  symlinkSync('a.txt', at('link'));
  symlinkSync('nowhere', at('sub/dangling'));
  mkdirSync(at('empty'));
  for (const path of ['a.txt', 'b.txt', 'sub/c.txt', 'sub/deep/d.bin', 'empty'])
    utimesSync(at(path), old, old);
  return workspace;
}

/** The kind, mode, time and content of each path; of directories that change, no time. */
function snapshotOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true })
      .map(String)
      .sort()
      .map((name) => {
        const path = join(root, name);
        const stats = lstatSync(path);
        if (stats.isSymbolicLink()) return [name, `→ ${readlinkSync(path)}`];
        const mode = (stats.mode & 0o7777).toString(8);
        return [
          name,
          stats.isFile()
            ? `${mode} ${stats.mtime.toISOString()} ${readFileSync(path, 'latin1')}`
            : `${mode} directory`,
        ];
      }),
  );
}

type Change = (sandbox: Sandbox, kept: ReturnType<Sandbox['keeping']>) => Promise<unknown>;

const changes: Record<string, Change> = {
  write: (sandbox, kept) => sandbox.write('a.txt', 'new', { kept }),
  'write through a symlink': (sandbox, kept) => sandbox.write('link', 'new', { kept }),
  append: (sandbox, kept) => sandbox.append('a.txt', 'more', { kept }),
  'edit of one': (sandbox, kept) => sandbox.edit('a.txt', [{ oldText: 'one', newText: 'uno' }], { kept }),
  'edit of many': (sandbox, kept) =>
    sandbox.edit(['a.txt', 'b.txt'], [{ oldText: 'one', newText: 'uno', count: 0 }], { kept }),
  'delete of a file': (sandbox, kept) => sandbox.delete('a.txt', { kept }),
  'delete of a symlink': (sandbox, kept) => sandbox.delete('link', { kept }),
  'delete of an empty directory': (sandbox, kept) => sandbox.delete('empty', { kept }),
  'delete of a directory': (sandbox, kept) => sandbox.delete('sub', { recursive: true, kept }),
  'delete of several': async (sandbox, kept) => {
    await sandbox.delete('sub', { recursive: true, kept });
    await sandbox.delete('b.txt', { kept });
  },
  'delete inside a directory, then of it': async (sandbox, kept) => {
    await sandbox.delete('sub/c.txt', { kept });
    await sandbox.delete('sub', { recursive: true, kept });
  },
  'clear the executable bit': async (sandbox, kept) => {
    await sandbox.setExecutable('b.txt', true, kept);
  },
};

test.each(Object.entries(changes))(
  'restores after: %s; and undoes that, and undoes it again',
  async (_, change) => {
    using workspace = openWorkspace();
    chmodSync(join(workspace.root, 'b.txt'), 0o744);
    using sandbox = workspace.keeping();
    const before = snapshotOf(workspace.root);
    const first = sandbox.keeping('change');
    await change(sandbox, first);
    const after = snapshotOf(workspace.root);
    expect(after).not.toEqual(before);
    const second = sandbox.keeping('restore');
    await sandbox.restore(first!.id!, second);
    expect(snapshotOf(workspace.root)).toEqual(before);
    const third = sandbox.keeping('restore');
    await sandbox.restore(second!.id!, third);
    expect(snapshotOf(workspace.root)).toEqual(after);
    await sandbox.restore(third!.id!, sandbox.keeping('restore'));
    expect(snapshotOf(workspace.root)).toEqual(before);
    await expect(sandbox.restore(first!.id!)).rejects.toThrow('Nothing is kept under');
  },
);

test('keeps the inode of a replaced file, and a copy of one that has other names', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  const path = join(workspace.root, 'a.txt');
  const { ino } = lstatSync(path);
  const kept = sandbox.keeping('write');
  await sandbox.write('a.txt', 'new', { kept });
  await sandbox.restore(kept!.id!);
  expect(lstatSync(path).ino).toBe(ino);
  linkSync(path, join(workspace.outside, 'other'));
  const again = sandbox.keeping('write');
  await sandbox.write('a.txt', 'new', { kept: again });
  appendFileSync(join(workspace.outside, 'other'), 'changed through its other name');
  await sandbox.restore(again!.id!);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(lstatSync(path).mtime).toEqual(old);
});

test('a change of what does not fit is refused before it is made', async () => {
  using workspace = openWorkspace();
  workspace.put('big.txt', 'x'.repeat(20_000));
  using sandbox = workspace.keeping({ maxBytes: 10_000, advice: 'ADVICE' });
  const before = snapshotOf(workspace.root);
  const refused =
    'Not changed, because the old content cannot be kept: the change has 20000 bytes, and at most 10000 bytes can be kept; ADVICE';
  const kept = () => sandbox.keeping('change');
  await expect(sandbox.write('big.txt', '', { kept: kept() })).rejects.toThrow(refused);
  await expect(sandbox.delete('big.txt', { kept: kept() })).rejects.toThrow(refused);
  await expect(sandbox.append('big.txt', 'x', { kept: kept() })).rejects.toThrow(refused);
  const edit = [
    { oldText: 'o', newText: 'u', count: 0 },
    { oldText: 'xx', newText: 'y', count: 0 },
  ];
  await expect(sandbox.edit(['a.txt', 'big.txt'], edit, { kept: kept() })).rejects.toThrow('cannot be kept');
  await expect(sandbox.delete('sub', { recursive: true, kept: kept() })).rejects.toThrow('cannot be kept');
  expect(snapshotOf(workspace.root)).toEqual(before);
  expect(readdirSync(workspace.keepPath)).toEqual([]);
});

test('the oldest changes make room for the newest, and old ones are deleted in time', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping({ maxBytes: 10_000 });
  const ids: string[] = [];
  for (const content of ['1', '2', '3']) {
    const kept = sandbox.keeping('write');
    await sandbox.write('a.txt', content, { kept });
    ids.push(kept!.id!);
  }
  expect(sandbox.keptChanges().map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  await expect(sandbox.restore(ids[0]!)).rejects.toThrow('made room for newer changes');
  const record = join(workspace.keepPath, ids[2]!, 'record');
  const text = readFileSync(record, 'utf8');
  writeFileSync(record, text.replace(/"time":\d+/, '"time":1'));
  using later = workspace.keeping();
  const kept = later.keeping('write');
  await later.write('a.txt', '4', { kept });
  expect(readdirSync(workspace.keepPath).sort()).toEqual([ids[1]!, kept!.id!].sort());
});

test('changes of one millisecond are listed in their order, the newest first', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const ids: string[] = [];
    for (let count = 0; count < 8; count++) {
      const kept = sandbox.keeping('write');
      await sandbox.write('a.txt', String(count), { kept });
      ids.unshift(kept!.id!);
    }
    expect(sandbox.keptChanges().map(({ id }) => id)).toEqual(ids);
  } finally {
    vi.useRealTimers();
  }
});

test.each(['symlink', 'file', 'open to others', 'inside', 'around'] as const)(
  'refuses a keep directory that is a %s',
  (kind) => {
    using workspace = openWorkspace();
    const { keepPath, root, base, outside } = workspace;
    const directory = kind === 'inside' ? join(root, 'sub/keep') : kind === 'around' ? base : keepPath;
    if (kind === 'symlink') symlinkSync(outside, keepPath);
    if (kind === 'file') writeFileSync(keepPath, '');
    if (kind === 'open to others') mkdirSync(keepPath, { mode: 0o755 });
    if (kind === 'around') chmodSync(base, 0o700);
    expect(() => workspace.keeping({ directory })).toThrow(
      {
        symlink: 'The directory for kept files is a symlink; name the directory itself',
        file: 'EEXIST',
        'open to others': 'chmod 700',
        inside: 'must be outside the allowed directories',
        around: 'must be outside the allowed directories',
      }[kind],
    );
  },
);

test('a change that was recorded and never made leaves the paths alone', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  const kept = sandbox.keeping('write');
  await sandbox.write('a.txt', 'new', { kept });
  const id = kept!.id!;
  // The power fails after the record is written and before the link is made: nothing was changed.
  const { unlinkSync } = await import('node:fs');
  unlinkSync(join(workspace.keepPath, id, '0'));
  appendFileSync(join(workspace.keepPath, id, 'record'), '{"name":"1","pa');
  await expect(sandbox.restore(id)).rejects.toThrow('was never made');
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('new');
});

test('a record of which a line was not written whole still restores what the others name', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  const before = snapshotOf(workspace.root);
  const kept = sandbox.keeping('delete');
  await sandbox.delete('a.txt', { kept });
  // The disk is full for a moment.
  appendFileSync(join(workspace.keepPath, kept!.id!, 'record'), '{"name":"9","pa');
  await sandbox.delete('b.txt', { kept });
  expect(sandbox.keptChanges()[0]!.items).toHaveLength(2);
  await sandbox.restore(kept!.id!);
  expect(snapshotOf(workspace.root)).toEqual(before);
});

test('what is too old is deleted when the directory is opened', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  const kept = sandbox.keeping('delete');
  await sandbox.delete('a.txt', { kept });
  const path = join(workspace.keepPath, kept!.id!, 'record');
  const [head = '', ...items] = readFileSync(path, 'utf8').split('\n');
  const eightDaysAgo = Date.now() - 8 * 24 * 60 * 60 * 1000;
  writeFileSync(path, [head.replace(/"time":\d+/, `"time":${eightDaysAgo}`), ...items].join('\n'));
  using again = workspace.keeping();
  await again.cleanup;
  expect(readdirSync(workspace.keepPath)).toEqual([]);
});

test('a change that another server has begun and not recorded yet is not deleted as too old', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  mkdirSync(join(workspace.keepPath, '00000000'));
  writeFileSync(join(workspace.keepPath, '00000000/record'), '');
  await sandbox.delete('a.txt', { kept: sandbox.keeping('delete') });
  expect(readdirSync(workspace.keepPath)).toContain('00000000');
});

test('a second deletion of a path that fails keeps what the first one deleted', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  const before = snapshotOf(workspace.root);
  const kept = sandbox.keeping('delete');
  await sandbox.delete('sub', { recursive: true, kept });
  mkdirSync(join(workspace.root, 'sub'));
  // Where the second directory would be moved to.
  writeFileSync(join(workspace.keepPath, kept!.id!, '1'), '');
  await expect(sandbox.delete('sub', { recursive: true, kept })).rejects.toThrow('cannot be kept');
  rmSync(join(workspace.root, 'sub'), { recursive: true });
  await sandbox.restore(kept!.id!);
  expect(snapshotOf(workspace.root)).toEqual(before);
});

test('a failed change keeps nothing', async () => {
  using workspace = openWorkspace();
  using sandbox = workspace.keeping();
  const kept = sandbox.keeping('delete');
  await expect(sandbox.delete('sub', { kept })).rejects.toThrow('Directory not empty');
  await expect(sandbox.write('a.txt', 'x', { kept, expectedHash: '0' })).rejects.toThrow('Changed since');
  await expect(sandbox.delete('none', { kept })).rejects.toThrow('No such file');
  expect(kept!.id).toBeUndefined();
  expect(existsSync(workspace.keepPath) && readdirSync(workspace.keepPath)).toEqual([]);
});

test('two servers with one keep directory restore each their own changes and those of the other', async () => {
  using workspace = openWorkspace();
  using one = workspace.keeping();
  using other = workspace.keeping();
  const before = snapshotOf(workspace.root);
  const changed = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const sandbox = index % 2 === 0 ? one : other;
      const kept = sandbox.keeping('write');
      await sandbox.write('a.txt', String(index), { kept });
      return kept!.id!;
    }),
  );
  expect(new Set(changed).size).toBe(20);
  const wasFirst = one
    .keptChanges()
    .findLast(({ id }) => readFileSync(join(workspace.keepPath, id, '0'), 'utf8').startsWith('one'))!;
  await other.restore(wasFirst.id, other.keeping('restore'));
  expect(snapshotOf(workspace.root)).toEqual(before);
  const results = await Promise.allSettled(
    changed
      .filter((id) => id !== wasFirst.id)
      .flatMap((id) => [one.restore(id, one.keeping('r')), other.restore(id, other.keeping('r'))]),
  );
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(19);
  expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toMatch(/^(\d+|one\n)$/);
});

test('a path outside the allowed directories is not restored', async () => {
  using workspace = openWorkspace();
  using wide = workspace.keeping();
  const kept = wide.keeping('delete');
  await wide.delete('a.txt', { kept });
  const narrow = await wide.within([`file://${join(workspace.root, 'sub')}`]);
  await expect(narrow.restore(kept!.id!)).rejects.toThrow('Outside the allowed directories');
  expect(narrow.keptChanges()).toEqual([]);
  await expect(wide.restore('../../etc')).rejects.toThrow('Nothing is kept under');
});
