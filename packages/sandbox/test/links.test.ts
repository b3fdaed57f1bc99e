import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openers, problem, textOf, Workspace } from './workspace.ts';

describe.each(openers)('symbolic links, opened $how', ({ opener }) => {
  async function openWorkspace(links: Record<string, string>) {
    const workspace = new Workspace({ 'a.txt': 'hello', 'sub/b.txt': 'b' });
    for (const [name, target] of Object.entries(links)) {
      symlinkSync(
        target.replace('O', workspace.outside).replace('R', workspace.root),
        join(workspace.root, name),
      );
    }
    return { workspace, sandbox: workspace.open({ opener }) };
  }

  it('a symbolic link that leads outside is refused', async () => {
    const { workspace, sandbox } = await openWorkspace({
      file: 'O/secret.txt',
      dir: 'O',
      relative: '../outside/secret.txt',
      l1: 'l2',
      l2: 'sub/../l3',
      l3: 'O/secret.txt',
      root: '/',
    });
    using _ = workspace;
    for (const path of ['file', 'dir/secret.txt', 'relative', 'l1', `root${workspace.outside}/secret.txt`]) {
      const outcome = `Outside the allowed directories: "${path}"`;
      expect(await problem(() => sandbox.readText(path))).toBe(outcome);
      expect(await problem(() => sandbox.read(path))).toBe(outcome);
      expect(await problem(() => sandbox.info(path))).toBe(outcome);
      expect(await problem(() => sandbox.write(path, 'x'))).toBe(outcome);
      expect(await problem(() => sandbox.edit(path, [{ oldText: 'S', newText: 'x' }]))).toBe(outcome);
    }
    for (const path of ['dir', 'root', 'dir/']) {
      const outcome = `Outside the allowed directories: "${path}"`;
      expect(await problem(() => sandbox.list(path))).toBe(outcome);
      expect(await problem(() => sandbox.find(path, '*'))).toBe(outcome);
    }
    expect(await sandbox.complete('dir/')).toEqual([]);
    expect(readFileSync(join(workspace.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  });

  it('the error for a link that leads outside does not reveal whether its target exists', async () => {
    const { workspace, sandbox } = await openWorkspace({
      dir: 'O',
      dangling: 'O/missing.txt',
      present: 'O/secret.txt',
      through: 'O/secret.txt/deeper',
      loop: 'O/loop',
      climbing: 'sub/../../outside/missing',
    });
    using _ = workspace;
    symlinkSync('loop', join(workspace.outside, 'loop'));
    const paths = [
      'dir/secret.txt',
      'dir/missing.txt',
      'dir/secret.txt/',
      'dir/secret.txt/deeper',
      'dir/missing/deeper',
      'dir/loop',
      `dir/${'x'.repeat(300)}`,
      'dangling',
      'present',
      'through',
      'loop',
      'climbing',
    ];
    for (const path of paths) {
      const problems = [
        await problem(() => sandbox.readText(path)),
        await problem(() => sandbox.info(path)),
        await problem(() => sandbox.write(path, 'x')),
        await problem(() => sandbox.list(path)),
      ];
      expect(new Set(problems).size, path).toBe(1);
      expect(problems[0]).toMatch(/^Outside the allowed directories: "/);
    }
    expect(workspace.outsideNames.sort()).toEqual(['loop', 'secret.txt']);
  });

  it('a write through a dangling link creates nothing outside', async () => {
    const { workspace, sandbox } = await openWorkspace({
      dangling: 'O/new.txt',
      dir: 'O',
      climbing: '../outside/new.txt',
    });
    using _ = workspace;
    for (const path of ['dangling', 'climbing', 'dir/new.txt', 'dir/a/b']) {
      expect(await problem(() => sandbox.write(path, 'x'))).toBe(
        `Outside the allowed directories: "${path}"`,
      );
    }
    expect(workspace.outsideNames).toEqual(['secret.txt']);
  });

  it('the error for a link whose target does not exist names the target', async () => {
    const { workspace, sandbox } = await openWorkspace({
      gone: 'sub/gone.txt',
      directory: 'no',
      'sub/up': '../a.txt',
      absolute: 'R/sub/gone',
    });
    using _ = workspace;
    const reason = (target: string) => `; a symlink leads to "${target}", which does not exist`;
    const edits = [{ oldText: 'a', newText: 'b' }];
    for (const work of [
      () => sandbox.readText('gone'),
      () => sandbox.info('gone'),
      () => sandbox.edit('gone', edits),
      () => sandbox.edit(['gone'], edits).catch((error: Error) => Promise.reject(error.cause as Error)),
      () => sandbox.setExecutable('gone', true),
      () => sandbox.copy('gone', 'copy'),
    ])
      expect(await problem(work)).toBe(`No such file: "gone"${reason('sub/gone.txt')}`);
    expect(await problem(() => sandbox.list('directory'))).toBe(
      `No such directory: "directory"${reason('no')}`,
    );
    expect(await problem(() => sandbox.readText('directory/x'))).toBe(
      `No such file: "directory/x"${reason('no')}`,
    );
    expect(await problem(() => sandbox.readText('absolute'))).toBe(
      `No such file: "absolute"${reason(join(workspace.root, 'sub/gone'))}`,
    );
    expect(await problem(() => sandbox.readText('sub/up/x'))).not.toContain('a symlink leads to');
    expect(await problem(() => sandbox.readText('missing'))).toBe('No such file: "missing"');
  });

  it('a loop of symbolic links is an error, and find terminates', async () => {
    const { workspace, sandbox } = await openWorkspace({ a: 'b', b: 'a' });
    using _ = workspace;
    expect(await problem(() => sandbox.readText('a'))).toBe('Too many symbolic links: "a"');
    expect(await problem(() => sandbox.write('a', 'x'))).toBe('Too many symbolic links: "a"');
    const { matches } = await sandbox.find('.', '**');
    expect(matches.map(({ path }) => path)).toEqual(['a', 'a.txt', 'b', 'sub', 'sub/b.txt']);
  });

  it('a symbolic link is listed as a link and never descended into', async () => {
    const { workspace, sandbox } = await openWorkspace({ 'sub/up': '..', out: 'O' });
    using _ = workspace;
    expect((await sandbox.list('.')).entries).toEqual([
      { name: 'a.txt', shown: 'a.txt', kind: 'file' },
      { name: 'out', shown: 'out', kind: 'symlink' },
      { name: 'sub', shown: 'sub', kind: 'directory' },
    ]);
    const { matches } = await sandbox.find('.', '**');
    expect(matches.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'a.txt file',
      'out symlink',
      'sub directory',
      'sub/b.txt file',
      'sub/up symlink',
    ]);
  });

  it('a symbolic link within the allowed directory is followed and stays a link after a write', async () => {
    const { workspace, sandbox } = await openWorkspace({
      'sub/file': '../a.txt',
      dir: 'sub',
      absolute: 'R/sub/b.txt',
      around: '../root/a.txt',
      coming: 'sub/new.txt',
      far: '../root/sub/far.txt',
    });
    using _ = workspace;
    const { root } = workspace;
    expect(await textOf(sandbox, 'sub/file')).toBe('hello');
    expect(await textOf(sandbox, 'around')).toBe('hello');
    expect(await textOf(sandbox, 'absolute')).toBe('b');
    expect(await textOf(sandbox, 'dir/b.txt')).toBe('b');

    expect((await sandbox.write('sub/file', 'changed')).path).toBe(join(root, 'a.txt'));
    await sandbox.edit('absolute', [{ oldText: 'b', newText: 'c' }]);
    expect(await sandbox.write('coming', 'here')).toMatchObject({
      path: join(root, 'sub/new.txt'),
      created: true,
    });
    expect(await sandbox.write('far', 'there')).toMatchObject({
      path: join(root, 'sub/far.txt'),
      created: true,
    });
    expect(readlinkSync(join(root, 'sub/file'))).toBe('../a.txt');
    expect(lstatSync(join(root, 'coming')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('changed');
    expect(readFileSync(join(root, 'sub/b.txt'), 'utf8')).toBe('c');
    expect(readFileSync(join(root, 'sub/far.txt'), 'utf8')).toBe('there');
  });

  it('a symbolic link from one allowed directory into another is followed', async () => {
    using workspace = new Workspace();
    const other = join(workspace.base, 'other');
    mkdirSync(other);
    symlinkSync(other, join(workspace.root, 'other'));
    symlinkSync('../other', join(workspace.root, 'relative'));
    const sandbox = workspace.open({ directories: [workspace.root, other], opener });
    expect((await sandbox.write('other/new.txt', 'x')).path).toBe(join(other, 'new.txt'));
    expect((await sandbox.write('relative/newer.txt', 'x')).path).toBe(join(other, 'newer.txt'));
    expect(await problem(() => sandbox.readText('other/missing.txt'))).toBe(
      'No such file: "other/missing.txt"',
    );
  });
});

describe('hard links', () => {
  it('an edit of a hard link detaches the other names and reports their number', async () => {
    using workspace = new Workspace({ one: 'content' });
    const sandbox = workspace.open();
    linkSync(join(workspace.root, 'one'), join(workspace.root, 'two'));
    linkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'three'));
    expect((await sandbox.info('one')).links).toBe(2);
    const edited = await sandbox.edit('one', [{ oldText: 'content', newText: 'changed' }]);
    expect(edited.detachedHardLinks).toBe(1);
    expect(await textOf(sandbox, 'two')).toBe('content');
    // A hard link to a file outside is indistinguishable; the write must not reach the outside name.
    expect((await sandbox.write('three', 'changed')).detachedHardLinks).toBe(1);
    expect(readFileSync(join(workspace.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
    expect(readdirSync(workspace.root).sort()).toEqual(['one', 'three', 'two']);
  });
});
