import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcome } from './helper.ts';
import { problem, textOf, Workspace } from './workspace.ts';

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('writing', () => {
  it('a write reports whether it created or replaced the file', async () => {
    using workspace = new Workspace({ 'sub/b.txt': '' });
    const sandbox = workspace.open();
    const path = join(workspace.root, 'a.txt');
    expect(await sandbox.write('a.txt', 'héllo')).toEqual({
      path,
      created: true,
      bytes: 6,
      hash: sha256('héllo'),
      detachedHardLinks: 0,
      sharedHardLinks: 0,
      inPlace: false,
    });
    expect(await sandbox.write(path, '')).toMatchObject({ created: false, bytes: 0 });
    expect(await sandbox.write('a.txt', new Uint8Array([0, 255]))).toMatchObject({ bytes: 2 });
    expect(readFileSync(path)).toEqual(Buffer.from([0, 255]));
    expect(await problem(() => sandbox.write('sub', 'x'))).toBe('Is a directory, not a file: "sub"');
    expect(await problem(() => sandbox.write('.', 'x'))).toBe('Is a directory, not a file: "."');
    expect(readdirSync(workspace.root).sort()).toEqual(['a.txt', 'sub']);
  });

  it('a write keeps the mode of the file, and a new file gets the mode of the umask', async () => {
    using workspace = new Workspace({ 'run.sh': '', 'mine.txt': '', 'ours.txt': '' });
    const sandbox = workspace.open();
    chmodSync(join(workspace.root, 'run.sh'), 0o755);
    chmodSync(join(workspace.root, 'mine.txt'), 0o600);
    await sandbox.write('run.sh', '#!/bin/sh');
    await sandbox.edit('run.sh', [{ oldText: '/bin/sh', newText: '/bin/bash' }]);
    chmodSync(join(workspace.root, 'ours.txt'), 0o640);
    await sandbox.write('mine.txt', 'x');
    expect(await sandbox.write('ours.txt', 'x')).toMatchObject({ inPlace: false });
    const mode = (name: string) => (statSync(join(workspace.root, name)).mode & 0o7777).toString(8);
    expect(['run.sh', 'mine.txt', 'ours.txt'].map(mode)).toEqual(['755', '600', '640']);
    await sandbox.write('new.txt', '');
    expect(mode('new.txt')).toBe((0o666 & ~process.umask()).toString(8));
  });

  it('a write to a full or read-only file system leaves the old content', async (context) => {
    context.skip(!mayMount(), 'Mounting a small file system requires root and unshare');
    using workspace = new Workspace();
    const result = await outcome(
      `
      const { Sandbox } = await import(source + 'sandbox.ts');
      const { execFileSync } = await import('node:child_process');
      const root = ${JSON.stringify(workspace.root)};
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', root]);
      const problem = async (work) => { try { await work(); return 'fine'; } catch (error) { return error.message; } };
      const sandbox = Sandbox.open({ directories: [root] });
      const results = [await problem(() => sandbox.write('a.txt', 'old'))];
      results.push(await problem(() => sandbox.write('a.txt', 'x'.repeat(100_000))));
      results.push(await problem(() => sandbox.edit('a.txt', [{ oldText: 'old', newText: 'x'.repeat(100_000) }])));
      execFileSync('mount', ['-o', 'remount,ro', root]);
      results.push(await problem(() => sandbox.write('a.txt', 'new')));
      results.push(await problem(() => sandbox.write('b.txt', 'new')));
      console.log(JSON.stringify([...results, fs.readdirSync(root), fs.readFileSync(root + '/a.txt', 'utf8')]));`,
      { through: ['unshare', '-m'] },
    );
    expect(result).toEqual([
      'fine',
      'No space left on the disk for: "a.txt"',
      'No space left on the disk for: "a.txt"',
      'Read-only file system: "a.txt"',
      'Read-only file system: "b.txt"',
      ['a.txt'],
      'old',
    ]);
  });
});

describe('editing', () => {
  it('an edit returns its diff, and a dry run writes nothing', async () => {
    using workspace = new Workspace({ 'a.txt': 'one\r\ntwo\r\nthree\r\n' });
    const sandbox = workspace.open();
    const edits = [{ oldText: 'two', newText: 'TWO' }];
    const dry = await sandbox.edit('a.txt', edits, { dryRun: true });
    const applied = [{ line: 2, match: 'exact', occurrences: 1 }];
    expect(dry).toMatchObject({
      files: [{ path: 'a.txt', realPath: join(workspace.root, 'a.txt'), applied, occurrences: 1 }],
      diff: '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\r\n-two\r\n+TWO\r\n three\r\n',
      changed: true,
      written: false,
      hash: sha256('one\r\ntwo\r\nthree\r\n'),
      isReversible: true,
      detachedHardLinks: 0,
      inPlace: { total: 0 },
    });
    expect(await textOf(sandbox, 'a.txt')).toBe('one\r\ntwo\r\nthree\r\n');
    const written = await sandbox.edit('a.txt', edits, { expectedHash: dry.hash });
    expect(written).toEqual({ ...dry, written: true, hash: sha256('one\r\nTWO\r\nthree\r\n') });
    expect(await textOf(sandbox, 'a.txt')).toBe('one\r\nTWO\r\nthree\r\n');
  });

  it('a refused edit and an edit without a change write nothing', async () => {
    using workspace = new Workspace({ 'a.txt': 'same\nsame\n' });
    const sandbox = workspace.open();
    const { mtimeMs, ino } = statSync(join(workspace.root, 'a.txt'));
    expect(await problem(() => sandbox.edit('a.txt', [{ oldText: 'same', newText: 'X' }]))).toBe(
      'Nothing was changed in "a.txt". oldText occurs 2 times at lines 1, 2; add the lines around it to oldText until it is unique',
    );
    const edits = [
      { oldText: 'same\nsame', newText: 'x' },
      { oldText: 'y', newText: 'z' },
    ];
    expect(await problem(() => sandbox.edit('a.txt', edits))).toBe(
      'Nothing was changed in "a.txt". Edit 2 of 2: oldText does not occur',
    );
    const same = await sandbox.edit('a.txt', [{ oldText: 'same', newText: 'same' }]);
    expect(same).toMatchObject({
      written: false,
      diff: '',
      files: [{ applied: [{ match: 'unchanged', occurrences: 1 }] }],
    });
    expect(await problem(() => sandbox.edit('missing.txt', edits))).toBe('No such file: "missing.txt"');
    expect(statSync(join(workspace.root, 'a.txt'))).toMatchObject({ mtimeMs, ino });
  });

  it('an edit keeps the byte order mark, UTF-16 and a missing final line break', async () => {
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
    using workspace = new Workspace({
      'bom.txt': '\ufeffone\r\ntwo',
      'le.txt': utf16('one\r\ntwo'),
      'be.txt': utf16('one\ntwo').swap16(),
    });
    const sandbox = workspace.open();
    for (const path of ['bom.txt', 'le.txt', 'be.txt'])
      await sandbox.edit(path, [{ oldText: 'one\ntwo', newText: 'one\nTWO 😀' }]);
    expect(readFileSync(join(workspace.root, 'bom.txt'), 'utf8')).toBe('\ufeffone\r\nTWO 😀');
    expect(readFileSync(join(workspace.root, 'le.txt'))).toEqual(utf16('one\r\nTWO 😀'));
    expect(readFileSync(join(workspace.root, 'be.txt'))).toEqual(utf16('one\nTWO 😀').swap16());
  });

  it('an edit refuses Latin-1 and binary files', async () => {
    const latin = Buffer.from('caf\xe9\nok\n', 'latin1');
    const binary = Buffer.from('\0\x01\x02\xff\xfe\nAB\n', 'latin1');
    using workspace = new Workspace({ 'latin.txt': latin, binary });
    const sandbox = workspace.open();
    expect(await problem(() => sandbox.edit('latin.txt', [{ oldText: 'ok', newText: 'x' }]))).toBe(
      'Not text: byte 0xe9 at offset 3 is not UTF-8: "latin.txt"',
    );
    expect(await problem(() => sandbox.edit('binary', [{ oldText: 'AB', newText: 'x' }]))).toMatch(
      /^Not text: a NUL byte/,
    );
    expect(readFileSync(join(workspace.root, 'latin.txt'))).toEqual(latin);
    expect(readFileSync(join(workspace.root, 'binary'))).toEqual(binary);
  });

  it('an edit keeps every byte outside its match', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    const text = fc
      .array(fc.constantFrom('a', ' ', '\n', '\r\n', '\r', 'é', '😀', '\ufeff', '\t'), { maxLength: 20 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, fc.constantFrom('utf8', 'utf16le'), async (before, after, encoding) => {
        const bytes = (middle: string) =>
          Buffer.from(`\ufeff${before}${middle}${after}`, encoding as BufferEncoding);
        workspace.put('a.txt', bytes('<old>'));
        await sandbox.edit('a.txt', [{ oldText: '<old>', newText: '<new $&>' }]);
        expect(readFileSync(join(workspace.root, 'a.txt'))).toEqual(bytes('<new $&>'));
      }),
      { numRuns: 100 },
    );
  });
});

it('a write by another user keeps the group if permitted and grants no other group access', async (context) => {
  context.skip(process.getuid?.() !== 0, 'Changing the user requires root');
  using workspace = new Workspace({ 'ours.txt': 'a', 'theirs.txt': 'a', 'all.txt': 'a' });
  workspace.letOthersRead();
  chmodSync(workspace.root, 0o777);
  const at = (name: string) => join(workspace.root, name);
  const files: [name: string, group: number, mode: number][] = [
    ['ours.txt', 5555, 0o666],
    ['theirs.txt', 6666, 0o662],
    ['all.txt', 6666, 0o666],
  ];
  for (const [name, group, mode] of files) {
    chownSync(at(name), 0, group);
    chmodSync(at(name), mode);
  }
  const code = `const { Sandbox } = await import(source + 'sandbox.ts');
    const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
    for (const name of ['ours.txt', 'theirs.txt', 'all.txt']) await sandbox.write(name, 'b');
    console.log('"done"');`;
  expect(await outcome(code, { groups: [5555], uid: 4242 })).toBe('done');
  expect(
    files.map(([name]) => {
      const { uid, gid, mode } = statSync(at(name));
      return [uid, gid, mode & 0o7777];
    }),
  ).toEqual([
    [4242, 5555, 0o666],
    [4242, 4242, 0o622],
    [4242, 4242, 0o666],
  ]);
});

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}
