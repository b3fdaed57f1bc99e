import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcome } from './helper.ts';
import { openers, problem, textOf, Workspace } from './workspace.ts';

describe('reading text', () => {
  it('a read returns path, text, encoding, size and whether it is truncated', async () => {
    using workspace = new Workspace({ 'a.txt': 'héllo\n' });
    const sandbox = workspace.open();
    expect(await sandbox.readText('a.txt')).toEqual({
      path: join(workspace.root, 'a.txt'),
      text: 'héllo\n',
      encoding: 'utf-8',
      size: 7,
      truncated: false,
    });
    expect(await textOf(sandbox, workspace.put('empty').slice(workspace.root.length + 1))).toBe('');
  });

  it('head and tail return the first and last lines of a file', async () => {
    using workspace = new Workspace({
      'lf.txt': 'one\ntwo\nthree\n',
      'open.txt': 'one\ntwo\nthree',
      'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
      'blank.txt': '\n\nx\n\n',
    });
    const sandbox = workspace.open();
    const head = async (path: string, lines: number) => (await sandbox.readText(path, { head: lines })).text;
    const tail = async (path: string, lines: number) => (await sandbox.readText(path, { tail: lines })).text;
    for (const path of ['lf.txt', 'open.txt']) {
      expect(await head(path, 2)).toBe('one\ntwo');
      expect(await head(path, 1e9)).toBe('one\ntwo\nthree');
      expect(await tail(path, 2)).toBe('two\nthree');
      expect(await tail(path, 1e9)).toBe('one\ntwo\nthree');
    }
    expect(await head('crlf.txt', 2)).toBe('one\r\ntwo');
    expect(await tail('crlf.txt', 1)).toBe('three');
    expect([await tail('blank.txt', 1), await tail('blank.txt', 2), await tail('blank.txt', 3)]).toEqual([
      '',
      'x\n',
      '\nx\n',
    ]);
    expect([await tail('blank.txt', 4), await head('blank.txt', 1), await head('blank.txt', 3)]).toEqual([
      '\n\nx\n',
      '',
      '\n\nx',
    ]);

    for (const count of [0, -3, 0.5, Number.NaN]) {
      expect(await problem(() => sandbox.readText('lf.txt', { head: count }))).toBe(
        'head must be a positive integer',
      );
      expect(await problem(() => sandbox.readText('lf.txt', { tail: count }))).toBe(
        'tail must be a positive integer',
      );
    }
    expect(await problem(() => sandbox.readText('lf.txt', { head: 1, tail: 1 }))).toBe(
      'Give head or tail, not both',
    );
  });

  it('head and tail return whole lines across chunk boundaries', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', '\r'), maxLength: 5 }), {
      maxLength: 6,
    });
    const padding = fc.constantFrom(0, 256 * 1024 - 3, 256 * 1024, 600_000);
    await fc.assert(
      fc.asyncProperty(
        lines,
        padding,
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        async (short, pad, count, fromEnd) => {
          const long = 'é'.repeat(pad / 2);
          const all = fromEnd ? [...(pad ? [long] : []), ...short] : [...short, ...(pad ? [long] : [])];
          workspace.put('a.txt', all.map((line) => `${line}\n`).join(''));
          const { text } = await sandbox.readText('a.txt', fromEnd ? { tail: count } : { head: count });
          const wanted = fromEnd ? all.slice(-count) : all.slice(0, count);
          expect(text).toBe(wanted.join('\n').replace(/\r$/, ''));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('a read is truncated at a character boundary, also within a line', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    workspace.put('long.txt', '日'.repeat(700_000));
    for (const range of [{}, { head: 1 }, { tail: 1 }]) {
      const { text, truncated, size } = await sandbox.readText('long.txt', range);
      expect({ truncated, size }).toEqual({ truncated: true, size: 2_100_000 });
      expect(text).toBe('日'.repeat(Math.floor(1024 ** 2 / 3)));
    }
    workspace.put('short.txt', '日本語\n');
    for (const [maxBytes, head, tail] of [
      [1, '', ''],
      [3, '日', '語'],
      [5, '日', '語'],
      [8, '日本', '本語'],
      [9, '日本語', '日本語'],
    ] as const) {
      expect(await sandbox.readText('short.txt', { head: 1, maxBytes })).toMatchObject({
        text: head,
        truncated: maxBytes < 9,
      });
      expect(await sandbox.readText('short.txt', { tail: 1, maxBytes })).toMatchObject({
        text: tail,
        truncated: maxBytes < 9,
      });
    }
    expect(await sandbox.readText('short.txt', { maxBytes: 9 })).toMatchObject({
      text: '日本語',
      truncated: true,
    });
    expect(await sandbox.readText('short.txt', { maxBytes: 10 })).toMatchObject({ truncated: false });
  });

  it('a read removes the byte order mark and decodes UTF-16 that has one', async () => {
    const utf16 = Buffer.from('\ufeffone\r\ntwo 😀\r\n', 'utf16le');
    using workspace = new Workspace({
      'bom.txt': '\ufeffhello',
      'le.txt': utf16,
      'be.txt': Buffer.from(utf16).swap16(),
    });
    const sandbox = workspace.open();
    expect(await sandbox.readText('bom.txt')).toMatchObject({ text: 'hello', encoding: 'utf-8' });
    expect(await sandbox.readText('le.txt')).toMatchObject({
      text: 'one\r\ntwo 😀\r\n',
      encoding: 'utf-16le',
    });
    expect(await sandbox.readText('be.txt', { tail: 1 })).toMatchObject({
      text: 'two 😀',
      encoding: 'utf-16be',
    });
    workspace.put('long.txt', Buffer.from(`\ufeff${'x'.repeat(1024 ** 2)}`, 'utf16le'));
    expect(await problem(() => sandbox.readText('long.txt'))).toMatch(
      /^The file is in UTF-16 and has more than 1048576 bytes; convert it to UTF-8 first/,
    );
  });

  it('a read of a file that is not text is refused with the reason', async () => {
    using workspace = new Workspace({
      'latin.txt': Buffer.from('caf\xe9\nok\n', 'latin1'),
      binary: Buffer.from('\0\x01\x02\xff\xfe\nAB\n', 'latin1'),
      'late.txt': Buffer.from('\ufffd is fine, but \xff', 'latin1'),
      'replacement.txt': '\ufffd',
      'odd.txt': Buffer.from([0xff, 0xfe, 0x41]),
      'half.txt': Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
      'cut.txt': Buffer.from('日').subarray(0, 2),
    });
    const sandbox = workspace.open();
    expect(await problem(() => sandbox.readText('latin.txt'))).toBe(
      'Not text: byte 0xe9 at offset 3 is not UTF-8: "latin.txt"',
    );
    expect(await problem(() => sandbox.readText('binary'))).toBe(
      'Not text: a NUL byte at offset 0: "binary"',
    );
    expect(await problem(() => sandbox.readText('odd.txt'))).toBe(
      'Not text: UTF-16 with an odd number of bytes: "odd.txt"',
    );
    expect(await problem(() => sandbox.readText('half.txt'))).toBe(
      'Not text: UTF-16 with a lone surrogate: "half.txt"',
    );
    expect(await problem(() => sandbox.readText('cut.txt'))).toBe(
      'Not text: byte 0xe6 at offset 0 is not UTF-8: "cut.txt"',
    );
    expect(await textOf(sandbox, 'replacement.txt')).toBe('\ufffd');
  });
});

describe('reading a whole file', () => {
  it('a whole file is returned as text or base64 with its MIME type', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1');
    using workspace = new Workspace({
      'a.md': '# A',
      'a.json': '{}',
      Makefile: 'all:',
      'a.svg': '<svg/>',
      'a.dat': png,
      'a.jpg': png,
      'x.gif': '\0',
      y: '\0',
    });
    const sandbox = workspace.open();
    const read = async (path: string) => {
      const content = await sandbox.read(path);
      return 'mimeType' in content ? [content.mimeType, 'text' in content ? content.text : content.blob] : [];
    };
    expect(await read('a.md')).toEqual(['text/markdown', '# A']);
    expect(await read('a.json')).toEqual(['application/json', '{}']);
    expect(await read('Makefile')).toEqual(['text/plain', 'all:']);
    expect(await read('a.svg')).toEqual(['image/svg+xml', '<svg/>']);
    expect(await read('a.dat')).toEqual(['image/png', png.toString('base64')]);
    expect(await read('a.jpg')).toEqual(['image/png', png.toString('base64')]);
    expect(await read('x.gif')).toEqual(['image/gif', 'AA==']);
    expect(await read('y')).toEqual(['application/octet-stream', 'AA==']);
  });

  it('a whole file that is too large is refused, not truncated', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    workspace.put('a.txt', 'x'.repeat(500_000));
    const content = await sandbox.read('a.txt');
    expect('text' in content && content.text.length).toBe(500_000);
    const refused =
      'Too large to read as a whole (more than 1000 bytes); read parts of the file, if it is text: "a.txt"';
    expect(await problem(() => sandbox.read('a.txt', { maxBytes: 1000 }))).toBe(refused);
    workspace.put('a.txt', 'x'.repeat(1001));
    expect(await problem(() => sandbox.read('a.txt', { maxBytes: 1000 }))).toBe(refused);
  });

  it('a directory is read as its listing', async () => {
    using workspace = new Workspace({ 'sub/a.txt': '' });
    const sandbox = workspace.open();
    expect(await sandbox.read('sub')).toEqual({
      path: join(workspace.root, 'sub'),
      entries: [{ name: 'a.txt', shown: 'a.txt', kind: 'file' }],
      total: 1,
    });
  });
});

describe('missing and unreadable files', () => {
  it('an error names the path as requested', async () => {
    using workspace = new Workspace({ 'a.txt': '' });
    symlinkSync('nowhere', join(workspace.root, 'dangling'));
    const sandbox = workspace.open();
    expect(await problem(() => sandbox.readText('missing.txt'))).toBe('No such file: "missing.txt"');
    expect(await problem(() => sandbox.readText('no/missing.txt'))).toBe('No such file: "no/missing.txt"');
    expect(await problem(() => sandbox.readText('a.txt/b'))).toBe('Not a directory: "a.txt/b"');
    expect(await problem(() => sandbox.readText('dangling'))).toBe(
      'No such file: "dangling"; a symlink leads to "nowhere", which does not exist',
    );
    expect(await problem(() => sandbox.list('missing'))).toBe('No such directory: "missing"');
    expect(await problem(() => sandbox.list('a.txt'))).toBe('Not a directory: "a.txt"');
    expect(await problem(() => sandbox.find('missing', '*'))).toBe('No such directory: "missing"');
    expect(await problem(() => sandbox.write('no/missing.txt', ''))).toBe(
      'No such directory: "no"; create this directory first',
    );
  });

  it('a user without permission gets an error for each operation and the rest of a directory', async (context) => {
    context.skip(process.getuid?.() !== 0, 'Changing the user requires root');
    using workspace = new Workspace({ 'closed.txt': 'x', 'shut/a.txt': 'a', 'open.txt': 'fine' });
    workspace.letOthersRead();
    execFileSync('chmod', ['600', join(workspace.root, 'closed.txt')]);
    execFileSync('chmod', ['700', join(workspace.root, 'shut')]);
    const result = await outcome(
      `
      const { Sandbox } = await import(source + 'sandbox.ts');
      const problem = async (work) => { try { await work(); return 'fine'; } catch (error) { return error.message; } };
      const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
      console.log(JSON.stringify([
        await problem(() => sandbox.readText('open.txt')),
        await problem(() => sandbox.readText('closed.txt')),
        await problem(() => sandbox.readText('shut/a.txt')),
        await problem(() => sandbox.readText('shut/missing.txt')),
        await problem(() => sandbox.list('shut')),
        await problem(() => sandbox.write('open.txt', 'x')),
        await problem(() => sandbox.write('new.txt', 'x')),
        (await sandbox.find('.', '**')).unreadable.items,
        (await sandbox.find('.', '**')).matches.length,
        (await sandbox.tree('.')).root.children.map(({ name, cut }) => [name, cut]),
        (await sandbox.search('.', 'fine')).files.map(({ path }) => path),
        (await sandbox.search('.', 'fine')).unreadable.items.map(({ path }) => path).sort(),
        await problem(() => sandbox.delete('open.txt')),
        await problem(() => sandbox.move('open.txt', 'moved.txt')),
        await problem(() => sandbox.createDirectory('made')),
        await problem(() => Sandbox.open({ directories: [${JSON.stringify(join(workspace.root, 'shut'))}] })),
      ]));`,
      { uid: 65534 },
    );
    expect(result).toEqual([
      'fine',
      'Permission denied: "closed.txt"',
      'Permission denied: "shut/a.txt"',
      'Permission denied: "shut/missing.txt"',
      'Permission denied: "shut"',
      'Permission denied: "open.txt"',
      'Permission denied: "new.txt"',
      [{ path: 'shut', reason: 'Permission denied: "shut"' }],
      3,
      [
        ['closed.txt', null],
        ['open.txt', null],
        ['shut', 'unreadable'],
      ],
      ['open.txt'],
      ['closed.txt', 'shut'],
      'Permission denied: "open.txt"',
      'Permission denied: "moved.txt"',
      'Permission denied: "made"',
      `Permission denied: "${workspace.root}/shut"`,
    ]);
  });
});

it('no descriptor stays open after a success or an error', async () => {
  using workspace = new Workspace({ 'a.txt': 'a', 'long.txt': 'x'.repeat(600_000), 'sub/b.txt': 'b' });
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  for (const { opener } of openers) {
    const sandbox = workspace.open({ opener });
    const attempts = async () => {
      for (const path of ['a.txt', 'long.txt', 'sub', 'sub/missing', 'out/secret.txt', '../x', 'é']) {
        await problem(() => sandbox.readText(path));
        await problem(() => sandbox.readText(path, { tail: 1 }));
        await problem(() => sandbox.read(path));
        await problem(() => sandbox.info(path));
        await problem(() => sandbox.list(path, { limit: 1 }));
        await problem(() => sandbox.find(path, '*', { limit: 1 }));
        await problem(() => sandbox.write(path, 'x', { ifAbsent: true }));
        await problem(() => sandbox.edit(path, [{ oldText: 'y', newText: 'z' }]));
        await sandbox.complete(path);
      }
    };
    await attempts();
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 5; round++) await attempts();
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 2);
  }
});
