import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sandbox } from '../src/sandbox.ts';
import { openers, problem, textOf, Workspace } from './workspace.ts';

describe.each(openers)('paths that lead outside, opened $how', ({ opener }) => {
  async function openWorkspace(files?: Record<string, string>) {
    const workspace = new Workspace({ 'a.txt': 'hello', 'sub/b.txt': 'b', ...files });
    return { workspace, sandbox: workspace.open({ opener }) };
  }

  it('a path outside the allowed directory is refused', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    const { root, outside } = workspace;
    const refused = [
      `${root}/../outside/secret.txt`,
      '../outside/secret.txt',
      `${root}/sub/../../outside/secret.txt`,
      `/proc/self/root${outside}/secret.txt`,
      '/proc/self/cwd/../outside/secret.txt',
      '/dev/fd/0',
      '/proc/self/environ',
      '//server/share',
      '/',
      '..',
      '../',
    ];
    for (const path of refused) {
      const outcome = `Outside the allowed directories: "${path}"`;
      expect(await problem(() => sandbox.readText(path))).toBe(outcome);
      expect(await problem(() => sandbox.write(path, 'x'))).toBe(outcome);
      expect(await problem(() => sandbox.list(path))).toBe(outcome);
      expect(await problem(() => sandbox.info(path))).toBe(outcome);
    }
    for (const path of [
      'R\\..\\outside\\secret.txt',
      '..\\outside\\secret.txt',
      'C:\\Windows\\win.ini',
      'C:rel.txt',
    ]) {
      expect(await problem(() => sandbox.readText(path))).toMatch(/^No such file: /);
    }
    expect(workspace.outsideNames).toEqual(['secret.txt']);
  });

  it('`..` is resolved lexically, even after a link', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    symlinkSync('..', join(workspace.root, 'sub/up'));
    mkdirSync(join(workspace.root, 'sub/outside'));
    const path = `${workspace.root}/sub/up/../outside/secret.txt`;
    expect(await problem(() => sandbox.readText(path))).toBe(`No such file: "${path}"`);
    workspace.put('sub/outside/secret.txt', 'not that one');
    expect(await textOf(sandbox, path)).toBe('not that one');
  });

  it('a directory whose name begins with the allowed path is refused', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    for (const ending of ['_evil', '"', "'", ' ', '\t', '\n', '\u00a0', '\u2003', '\\', '\ufeff']) {
      const path = workspace.root + ending;
      mkdirSync(path);
      writeFileSync(join(path, 'secret.txt'), 'SECRET');
      expect(await problem(() => sandbox.list(path))).toMatch(/^Outside the allowed directories: /);
      expect(await problem(() => sandbox.readText(join(path, 'secret.txt')))).toMatch(/^Outside/);
      expect(await problem(() => sandbox.write(join(path, 'new.txt'), 'x'))).toMatch(/^Outside/);
      expect(readdirSync(path)).toEqual(['secret.txt']);
    }
  });

  it('a path is not trimmed, unquoted or expanded', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    mkdirSync(join(workspace.root, '~'));
    workspace.put('~/f', 'tilde');
    const file = join(workspace.root, 'a.txt');
    const problems = [];
    for (const path of [
      ` ${file}`,
      `"${file}"`,
      '"a.txt"',
      '~/f',
      '~',
      '~root/x',
      '$HOME/x',
      '%USERPROFILE%\\x',
      `file://${file}`,
    ]) {
      problems.push(await problem(() => sandbox.readText(path)));
    }
    expect(problems.map((each) => each.replaceAll(workspace.root, 'R'))).toEqual([
      'No such file: " R/a.txt"',
      'No such file: "\\"R/a.txt\\""',
      'No such file: "\\"a.txt\\""; similar names are "a.txt"',
      '"~" is not expanded; use an absolute path, or "./~" for an entry of that name: "~/f"',
      '"~" is not expanded; use an absolute path, or "./~" for an entry of that name: "~"',
      'No such file: "~root/x"',
      'No such file: "$HOME/x"',
      'No such file: "%USERPROFILE%\\\\x"',
      'Expected a path, not a URI: "file://R/a.txt"',
    ]);
    expect(await textOf(sandbox, './~/f')).toBe('tilde');
    expect(await textOf(sandbox, join(workspace.root, '~/f'))).toBe('tilde');
  });

  it('different spellings of a path return one canonical path', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    const canonical = join(workspace.root, 'a.txt');
    for (const path of [
      'a.txt',
      './a.txt',
      `${workspace.root}//a.txt`,
      `${workspace.root}/./a.txt`,
      'sub/../a.txt',
    ]) {
      expect(await sandbox.readText(path)).toMatchObject({ text: 'hello', path: canonical });
    }
  });

  it('a path of a file with a trailing slash is refused', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    for (const path of ['a.txt/', 'a.txt/.', `${workspace.root}/a.txt/`]) {
      expect(await problem(() => sandbox.readText(path))).toBe(`Not a directory: "${path}"`);
      expect(await problem(() => sandbox.write(path, 'x'))).toBe(`Not a directory: "${path}"`);
    }
    expect(await problem(() => sandbox.write('new.txt/', 'x'))).toBe(
      'Names a directory, not a file: "new.txt/"',
    );
    expect((await sandbox.list('sub/')).entries).toHaveLength(1);
  });

  it('a path that is blank or contains NUL or a lone surrogate is refused', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    expect(await problem(() => sandbox.readText(''))).toBe('A path cannot be empty or blank: ""');
    expect(await problem(() => sandbox.readText(' '))).toBe('A path cannot be empty or blank: " "');
    expect(await problem(() => sandbox.readText('\n\u2003'))).toBe(
      'A path cannot be empty or blank: "\\n\\u{2003}"',
    );
    expect(await problem(() => sandbox.readText('a.txt\0.png'))).toBe(
      'A path cannot contain a NUL character: "a.txt\\u{0}.png"',
    );
    expect(
      await problem(() => sandbox.readText(`${workspace.outside}/secret.txt\0${workspace.root}`)),
    ).toMatch(/NUL/);
    expect(await problem(() => sandbox.write('\ud800', 'x'))).toMatch(
      /^A path cannot contain a lone surrogate/,
    );
    expect(await problem(() => sandbox.write('new.txt', '\ud800'))).toMatch(/lone surrogate/);
    expect(await problem(() => sandbox.readText('.'))).toBe('Is a directory, not a file: "."');
    expect((await sandbox.list('.')).entries.map(({ name }) => name)).toEqual(['a.txt', 'sub']);
  });

  it('generated paths never lead outside', async () => {
    const { workspace, sandbox } = await openWorkspace();
    using _ = workspace;
    symlinkSync('..', join(workspace.root, 'sub/up'));
    symlinkSync('../../outside', join(workspace.root, 'sub/out'));
    symlinkSync(workspace.root, join(workspace.root, 'again'));
    const names = [
      '..',
      '.',
      '',
      'sub',
      'up',
      'out',
      'again',
      'outside',
      'root',
      'a.txt',
      'b.txt',
      'secret.txt',
      ' ',
      '~',
    ];
    const paths = fc
      .tuple(
        fc.constantFrom('', '/', `${workspace.root}/`, `${workspace.base}/`),
        fc.array(fc.constantFrom(...names)),
      )
      .map(([start, path]) => start + path.join('/'));
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const outcome = await problem(async () => {
          const { path: real } = await sandbox.readText(path);
          expect(real.startsWith(`${workspace.root}/`)).toBe(true);
          expect(`${resolve(workspace.root, path)}/`).toContain(workspace.root);
        });
        expect(outcome).not.toContain('SECRET');
        expect(outcome).toMatch(/^(nothing|No such|Not a|Is a dir|Outside|A path cannot be empty|"~")/);
      }),
      { numRuns: 500 },
    );
  });
});

describe.each(openers)('allowed directories, opened $how', ({ opener }) => {
  it('the root directory can be the allowed directory', async () => {
    using workspace = new Workspace({ 'a.txt': 'hello' });
    const sandbox = Sandbox.open({ directories: ['/'], opener });
    expect(await textOf(sandbox, join(workspace.root, 'a.txt'))).toBe('hello');
    expect(await textOf(sandbox, join(workspace.root, 'a.txt').slice(1))).toBe('hello');
    expect((await sandbox.write(join(workspace.root, 'new.txt'), 'x')).path).toBe(
      join(workspace.root, 'new.txt'),
    );
    expect(await problem(() => sandbox.readText('/nothing/there'))).toBe('No such file: "/nothing/there"');
  });

  it('an allowed directory may end in a slash or a dot', async () => {
    using workspace = new Workspace({ 'a.txt': 'hello' });
    for (const directory of [`${workspace.root}/`, `${workspace.root}/.`]) {
      const sandbox = workspace.open({ directories: [directory], opener });
      expect(sandbox.directories).toEqual([workspace.root]);
      expect(await textOf(sandbox, join(workspace.root, 'a.txt'))).toBe('hello');
    }
  });

  it('an allowed directory may lie in another one', async () => {
    using workspace = new Workspace({ 'sub/b.txt': 'b' });
    const sub = join(workspace.root, 'sub');
    const sandbox = workspace.open({ directories: [workspace.root, sub], opener });
    expect(await textOf(sandbox, join(sub, 'b.txt'))).toBe('b');
    expect(await problem(() => sandbox.write(sub, 'x'))).toBe(`Is a directory, not a file: "${sub}"`);
  });

  it('an allowed directory that is a link has both names', async () => {
    using workspace = new Workspace({ 'a.txt': 'hello' });
    const link = join(workspace.base, 'link');
    symlinkSync(workspace.root, link);
    const sandbox = workspace.open({ directories: [link], opener });
    for (const path of [join(link, 'a.txt'), join(workspace.root, 'a.txt')]) {
      expect(await sandbox.readText(path)).toMatchObject({
        text: 'hello',
        path: join(workspace.root, 'a.txt'),
      });
    }
    expect((await sandbox.write(join(link, 'new.txt'), 'x')).created).toBe(true);
    expect(await textOf(sandbox, 'new.txt')).toBe('x');
  });

  it('an allowed directory that was replaced is refused until it returns', async () => {
    for (const replace of ['link', 'directory'] as const) {
      using workspace = new Workspace({ 'a.txt': 'hello' });
      const sandbox = workspace.open({ opener });
      renameSync(workspace.root, `${workspace.root}.aside`);
      if (replace === 'link') symlinkSync(workspace.outside, workspace.root);
      else renameSync(workspace.outside, workspace.root);

      const replacedError = `The allowed directory was deleted or replaced: "${workspace.root}"`;
      expect(await problem(() => sandbox.readText('secret.txt'))).toBe(replacedError);
      expect(await problem(() => sandbox.readText('a.txt'))).toBe(replacedError);
      expect(await problem(() => sandbox.list('.'))).toBe(replacedError);
      expect(await problem(() => sandbox.write('new.txt', 'x'))).toBe(replacedError);
      expect(await problem(() => sandbox.edit('secret.txt', [{ oldText: 'S', newText: 'X' }]))).toBe(
        replacedError,
      );
      expect(readdirSync(workspace.root)).toEqual(['secret.txt']);

      rmSync(workspace.root, { recursive: true });
      renameSync(`${workspace.root}.aside`, workspace.root);
      expect(await textOf(sandbox, 'a.txt')).toBe('hello');
    }
  });

  it('an allowed directory that was replaced with a link is refused', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open({ opener });
    rmSync(workspace.root, { recursive: true });
    symlinkSync(workspace.outside, workspace.root);
    expect(await problem(() => sandbox.readText('secret.txt'))).toMatch(/^The allowed directory was deleted/);
    expect(await problem(() => sandbox.write('new.txt', 'x'))).toMatch(/^The allowed directory was deleted/);
    expect(workspace.outsideNames).toEqual(['secret.txt']);
  });

  it('a deleted allowed directory works again when it is recreated', async () => {
    using workspace = new Workspace({ 'a.txt': 'hello' });
    const sandbox = workspace.open({ opener });
    rmSync(workspace.root, { recursive: true });
    const replacedError = `The allowed directory was deleted or replaced: "${workspace.root}"`;
    expect(await problem(() => sandbox.readText('a.txt'))).toBe(replacedError);
    expect(await problem(() => sandbox.write('a.txt', 'x'))).toBe(replacedError);
    workspace.put('a.txt', 'again');
    expect(await textOf(sandbox, 'a.txt')).toBe('again');
    expect((await sandbox.write('b.txt', 'x')).created).toBe(true);
  });
});

describe('Sandbox.open', () => {
  it('opening reports a missing directory and a path that is not a directory', async () => {
    using workspace = new Workspace({ 'a.txt': '' });
    const missing = join(workspace.base, 'missing');
    const file = join(workspace.root, 'a.txt');
    expect(await problem(() => Sandbox.open({ directories: [missing] }))).toBe(
      `No such directory: "${missing}"`,
    );
    expect(await problem(() => Sandbox.open({ directories: [file] }))).toBe(`Not a directory: "${file}"`);
  });

  it('opening warns about a directory that is named twice', async () => {
    using workspace = new Workspace();
    const warnings: string[] = [];
    workspace.open({
      directories: [workspace.root, `${workspace.root}/.`],
      warn: (each) => warnings.push(each),
    });
    expect(warnings).toEqual([`The same directory is allowed twice: "${workspace.root}/."`]);
  });

  it('a sandbox without a directory allows nothing', async () => {
    const sandbox = Sandbox.open({ directories: [] });
    expect(await problem(() => sandbox.readText('/etc/hostname'))).toMatch(/^No directory is allowed/);
    expect(await sandbox.complete('/e')).toEqual([]);
  });

  it('a read-only sandbox refuses every change', async () => {
    using workspace = new Workspace({ 'a.txt': 'a' });
    const sandbox = workspace.open({ readOnly: true });
    const refused = 'Nothing can be changed in a read-only sandbox: "a.txt"';
    expect(await problem(() => sandbox.write('a.txt', 'b'))).toBe(refused);
    expect(await problem(() => sandbox.edit('a.txt', [{ oldText: 'a', newText: 'b' }]))).toBe(refused);
    const dry = await sandbox.edit('a.txt', [{ oldText: 'a', newText: 'b' }], { dryRun: true });
    expect(dry).toMatchObject({ written: false });
    expect(await textOf(sandbox, 'a.txt')).toBe('a');
  });
});
