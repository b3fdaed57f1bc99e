import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { displayBytes, displayName, quoted } from '../src/display-name.ts';
import { problem, textOf, Workspace } from './workspace.ts';

describe('names', () => {
  it('a name in another Unicode form is found unless it is ambiguous', async () => {
    const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt'];
    using workspace = new Workspace({ [composed]: 'composed', [`dir ${decomposed}/x`]: 'in it' });
    const sandbox = workspace.open();
    expect(await textOf(sandbox, decomposed)).toBe('composed');
    expect(await textOf(sandbox, `dir ${composed}/x`)).toBe('in it');
    await sandbox.edit(decomposed, [{ oldText: 'composed', newText: 'changed' }]);
    expect(await textOf(sandbox, composed)).toBe('changed');

    workspace.put(decomposed, 'decomposed');
    expect(await textOf(sandbox, composed)).toBe('changed');
    expect(await textOf(sandbox, decomposed)).toBe('decomposed');
    workspace.put('\u1e9b\u0323', 'one');
    workspace.put('\u017f\u0307\u0323', 'two');
    expect(await problem(() => sandbox.readText('\u017f\u0323\u0307'))).toMatch(
      /^Ambiguous path: several entries differ from it only in Unicode normalization/,
    );
  });

  it('a name that is not UTF-8 is listed with escapes and can be read by the listed name', async () => {
    using workspace = new Workspace();
    const bytes = Buffer.concat([
      Buffer.from(`${workspace.root}/bad`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('.txt'),
    ]);
    writeFileSync(bytes, 'content');
    const sandbox = workspace.open();
    const { entries } = await sandbox.list('.');
    expect(entries).toEqual([{ name: 'bad\\xff\\xfe.txt', shown: 'bad\\xff\\xfe.txt', kind: 'file' }]);
    expect(await textOf(sandbox, 'bad\\xff\\xfe.txt')).toBe('content');
    expect((await sandbox.info('bad\\xff\\xfe.txt')).size).toBe(7);
    expect(await problem(() => sandbox.write('bad\\xff\\xfe.txt', 'x'))).toMatch(
      /^A file whose name is not UTF-8/,
    );
    const [match] = (await sandbox.find('.', '*.txt')).matches;
    expect(await textOf(sandbox, match!.path)).toBe('content');
    expect(await sandbox.complete('b')).toEqual([]);
  });

  it('control and invisible characters in a name are escaped in text and exact in the result', async () => {
    const names = [
      'a\nb.txt',
      'a\tb',
      'a\x1b[31m.txt',
      '\u202etxt.exe',
      'a\u200b.txt',
      'back\\slash',
      'no\u00a0break',
    ];
    using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, name])));
    const sandbox = workspace.open();
    const { entries } = await sandbox.list('.');
    expect(entries.map(({ name }) => name).sort()).toEqual(names.toSorted());
    expect(entries.map(({ shown }) => shown)).toEqual([
      'a\\tb',
      'a\\nb.txt',
      'a\\u{1b}[31m.txt',
      'a\\u{200b}.txt',
      'back\\\\slash',
      'no\\u{a0}break',
      '\\u{202e}txt.exe',
    ]);
    // A model passes the displayed name back.
    for (const { name, shown } of entries) expect(await textOf(sandbox, shown)).toBe(name);
    expect(await problem(() => sandbox.readText('x\n\u202ey'))).toBe('No such file: "x\\n\\u{202e}y"');
  });

  it('names of 255 bytes and names with emoji are accepted, and longer names are refused', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    for (const name of ['x'.repeat(255), '😀.txt', 'é'.repeat(127)]) {
      await sandbox.write(name, 'content');
      await sandbox.edit(name, [{ oldText: 'content', newText: 'changed' }]);
      expect(await textOf(sandbox, name)).toBe('changed');
    }
    for (const path of ['x'.repeat(300), 'x/'.repeat(2500)]) {
      expect(await problem(() => sandbox.write(path, 'x'))).toMatch(/^(Name too long|No such directory): /);
      expect(await problem(() => sandbox.readText(path))).toMatch(/^(Name too long|No such file): /);
    }
  });

  it('a name with special characters matches only itself', async () => {
    const names = [
      'Readme.md',
      '-rf',
      '--output=x',
      '$(id)',
      '`id`',
      '%2e%2e',
      '*',
      '[a].ts',
      '{a,b}',
      'CON',
      'x.txt:stream',
      'a.',
      'a ',
    ];
    using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, name])));
    const sandbox = workspace.open();
    for (const name of names) expect(await textOf(sandbox, name)).toBe(name);
    expect(await problem(() => sandbox.readText('readme.MD'))).toBe(
      'No such file: "readme.MD"; similar names are "Readme.md"',
    );
    expect(await problem(() => sandbox.readText('%2e'))).toMatch(/^No such file: "%2e"/);
    expect(await problem(() => sandbox.readText(join(workspace.base, 'ROOT/Readme.md')))).toMatch(/^Outside/);
    const found = async (pattern: string) =>
      (await sandbox.find('.', pattern)).matches.map(({ path }) => path);
    expect(await found('\\[a\\].ts')).toEqual(['[a].ts']);
    expect(await found('\\*')).toEqual(['*']);
    expect(await found('\\{a,b}')).toEqual(['{a,b}']);
  });

  it('a name that ends in " (deleted)" is an ordinary name', async () => {
    using workspace = new Workspace({ 'a.txt (deleted)': 'kept', 'dir (deleted)/b': 'b' });
    const sandbox = workspace.open();
    expect(await sandbox.readText('a.txt (deleted)')).toMatchObject({
      path: join(workspace.root, 'a.txt (deleted)'),
    });
    expect((await sandbox.write('dir (deleted)/b', 'c')).path).toBe(join(workspace.root, 'dir (deleted)/b'));
    const directory = join(workspace.root, 'dir (deleted)');
    const inner = workspace.open({ directories: [directory] });
    expect(await textOf(inner, 'b')).toBe('c');
    // The directory moves to the name under which the kernel would report its deletion.
    const sub = join(workspace.root, 'sub');
    mkdirSync(sub);
    const moved = workspace.open({ directories: [sub] });
    renameSync(sub, `${sub} (deleted)`);
    mkdirSync(sub);
    expect(await problem(() => moved.list('.'))).toMatch(/^The allowed directory was deleted or replaced/);
  });
});

describe('displayName and quoted', () => {
  it('printable names are displayed unchanged', () => {
    for (const name of ['plain.txt', 'with space', 'ünïcödé', '日本語', '😀', '"quoted"'])
      expect(displayName(name)).toBe(name);
    expect(quoted('with "quotes"')).toBe('"with \\"quotes\\""');
  });

  it('a long name is shortened in messages', () => {
    expect(quoted('x'.repeat(5000)).length).toBeLessThan(310);
  });

  it('the valid UTF-8 parts of a name are displayed, and the other bytes are escaped', () => {
    expect(
      displayBytes(
        Buffer.from([0x61, 0xc3, 0xa9, 0xff, 0xc3, 0x28, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0x80]),
      ),
    ).toBe('aé\\xff\\xc3(😀\\xed\\xa0\\x80');
  });
});

it('a directory is deleted with all names in it that decode to the same text', async (context) => {
  context.skip(process.platform !== 'linux', 'Only Linux allows names that are not UTF-8');
  using workspace = new Workspace({ 'sub/a.txt': '' });
  for (const name of ['\xff', '\xfe', '\xef\xbf\xbd'])
    writeFileSync(Buffer.from(`${workspace.root}/sub/${name}`, 'latin1'), '');
  const removed = await workspace.open().delete('sub', { recursive: true });
  expect(removed.count).toBe(5);
  expect(readdirSync(workspace.root)).toEqual([]);
});

describe('names in one directory that decode to the same text', () => {
  const names = ['\xff', '\xfe', '\xef\xbf\xbd'];
  const shown = ['\\xfe', '\\xff', '\ufffd'];

  function openWorkspace(make: (path: Buffer, index: number) => void) {
    const workspace = new Workspace();
    mkdirSync(join(workspace.root, 'sub'));
    for (const [index, name] of names.entries())
      make(Buffer.from(`${workspace.root}/sub/${name}`, 'latin1'), index);
    return { workspace, sandbox: workspace.open() };
  }

  it('names that decode to the same text are each listed with their own size', async (context) => {
    context.skip(process.platform !== 'linux', 'Only Linux allows names that are not UTF-8');
    const { workspace, sandbox } = openWorkspace((path, index) => writeFileSync(path, 'x'.repeat(index + 1)));
    using _ = workspace;
    const { entries } = await sandbox.list('sub');
    expect(entries.map((entry) => entry.shown).toSorted()).toEqual(shown);
    const sized = await sandbox.listSizes('sub');
    expect(sized.bytes).toBe(6);
    expect((await sandbox.listSizes('.', { recursive: true })).bytes).toBe(6);
    expect(sized.entries.map((entry) => `${entry.shown} ${entry.size}`).toSorted()).toEqual([
      '\\xfe 2',
      '\\xff 1',
      '\ufffd 3',
    ]);
    const { root } = await sandbox.tree('sub');
    expect(root.children!.map((child) => child.shown).toSorted()).toEqual(shown);
    expect((await sandbox.find('sub', '*', { minSize: 2 })).matches).toHaveLength(2);
  });

  it('names that decode to the same text are distinguished by their kind', async (context) => {
    context.skip(process.platform !== 'linux', 'Only Linux allows names that are not UTF-8');
    for (const order of [0, 1, 2]) {
      const { workspace, sandbox } = openWorkspace((path, index) => {
        const kind = (index + order) % 3;
        if (kind === 0) writeFileSync(path, 'needle');
        else if (kind === 1) symlinkSync('nowhere', path);
        else mkfifo(path);
      });
      using _ = workspace;
      expect((await sandbox.search('sub', 'needle')).matches).toBe(1);
      const { count } = await sandbox.delete('sub', { recursive: true });
      expect(count).toBe(4);
    }
  });

  it('a copy skips and reports names that are not UTF-8', async (context) => {
    context.skip(process.platform !== 'linux', 'Only Linux allows names that are not UTF-8');
    for (const make of [
      (path: Buffer) => mkdirSync(path),
      (path: Buffer) => symlinkSync('x', path),
      (path: Buffer) => writeFileSync(path, ''),
    ]) {
      const { workspace, sandbox } = openWorkspace(make);
      using _ = workspace;
      workspace.put('sub/z.txt');
      const { skipped } = await sandbox.copy('sub', 'copy');
      expect(skipped.items.toSorted()).toEqual(['sub/\\xfe', 'sub/\\xff']);
      expect(readdirSync(join(workspace.root, 'copy')).toSorted()).toEqual(['z.txt', '\ufffd']);
    }
  });

  it('the error names the directory that is not UTF-8 and prevents a deletion', async (context) => {
    context.skip(process.platform !== 'linux', 'Only Linux allows names that are not UTF-8');
    const { workspace, sandbox } = openWorkspace((path) => mkdirSync(path));
    using _ = workspace;
    expect(await problem(() => sandbox.delete('sub', { recursive: true }))).toMatch(
      /^A file whose name is not UTF-8 can be read but not changed: "sub\/\\xf[ef]"; /,
    );
  });
});

function mkfifo(path: Buffer): void {
  execFileSync('sh', ['-c', 'mkfifo "$(cat)"'], { input: path });
}
