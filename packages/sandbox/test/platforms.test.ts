import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test, expect } from 'vitest';
import { problem, textOf, Workspace } from './workspace.ts';

/** Defines a test for some platforms; on the others it is skipped with a reason. */
function on(platforms: readonly NodeJS.Platform[], name: string, body: () => Promise<void>): void {
  test(name, async (context: TestContext) => {
    context.skip(!platforms.includes(process.platform), `Only on ${platforms.join(' and ')}: ${name}`);
    await body();
  });
}

on(['win32'], 'a junction that leads outside is refused', async () => {
  using workspace = new Workspace();
  symlinkSync(workspace.outside, join(workspace.root, 'j'), 'junction');
  const sandbox = workspace.open();
  expect(await problem(() => sandbox.readText('j\\secret.txt'))).toMatch(/^Outside the allowed directories/);
  expect(await problem(() => sandbox.write('j\\new.txt', 'x'))).toMatch(/^Outside the allowed directories/);
  expect(await problem(() => sandbox.list('j'))).toMatch(/^Outside the allowed directories/);
  expect((await sandbox.search('.', 'SECRET')).matches).toBe(0);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
});

on(['win32', 'darwin'], 'a case-insensitive file system can rename an entry to another case', async () => {
  using workspace = new Workspace({ a: 'content', 'dir/x': '' });
  const sandbox = workspace.open();
  await sandbox.move('a', 'A');
  await sandbox.move('dir', 'Dir');
  expect(readdirSync(workspace.root).sort()).toEqual(['A', 'Dir']);
  expect(await textOf(sandbox, 'a')).toBe('content');
  workspace.put('b', 'other');
  expect(await problem(() => sandbox.move('b', 'a'))).toBe('Already exists: "a"');
});

on(['win32', 'darwin'], 'a file that is changed by its name in another case keeps its name', async () => {
  using workspace = new Workspace({ 'Read me.md': 'one' });
  const sandbox = workspace.open();
  const two = await sandbox.edit(['Read me.md', 'READ ME.MD'], [{ oldText: 'one', newText: 'two' }]);
  expect(two.files).toHaveLength(1);
  await sandbox.edit('read me.md', [{ oldText: 'two', newText: 'three' }]);
  await sandbox.write('READ ME.md', 'four');
  expect(readdirSync(workspace.root)).toEqual(['Read me.md']);
  expect(await textOf(sandbox, 'Read me.md')).toBe('four');
});

on(
  ['win32'],
  'names of devices and streams, and names with a trailing dot or space, are refused',
  async () => {
    using workspace = new Workspace({ 'x.txt': 'x' });
    const sandbox = workspace.open();
    for (const name of ['CON', 'NUL.txt', 'COM1', 'aux.c', 'x.txt:stream', 'a.', 'a '])
      expect(await problem(() => sandbox.write(name, 'y')), name).not.toBe('nothing went wrong');
    expect(readdirSync(workspace.root)).toEqual(['x.txt']);
  },
);

on(['win32'], 'UNC paths and device paths are refused', async () => {
  using workspace = new Workspace();
  const sandbox = workspace.open();
  const paths = [
    '\\\\server\\share\\x',
    '\\\\?\\C:\\x',
    '\\\\.\\PhysicalDrive0',
    '//server/share',
    'C:\\Windows\\win.ini',
  ];
  for (const path of paths)
    expect(await problem(() => sandbox.readText(path)), path).toMatch(/^Outside the allowed directories/);
});

on(['win32'], 'a short 8.3 alias resolves to the long name', async () => {
  using workspace = new Workspace({ 'a long name.txt': 'content' });
  const sandbox = workspace.open();
  const listed = execFileSync('cmd', ['/c', 'dir', '/x', workspace.root], { encoding: 'utf8' });
  const [alias] = /\S+~\d\.TXT/i.exec(listed) ?? [];
  if (!alias) return;
  expect(await sandbox.readText(alias)).toMatchObject({ path: join(workspace.root, 'a long name.txt') });
  const outside = join(workspace.base, 'OUTSID~1');
  if (existsSync(outside)) expect(await problem(() => sandbox.list(outside))).toMatch(/^Outside/);
});

on(['darwin'], 'an allowed directory below a linked temporary directory has both names', async () => {
  using workspace = new Workspace({ 'a.txt': 'hello' });
  const link = workspace.root.replace(/^\/private/, '');
  const sandbox = workspace.open({ directories: [link] });
  for (const path of [join(link, 'a.txt'), join(workspace.root, 'a.txt')])
    expect(await textOf(sandbox, path)).toBe('hello');
});

on(['darwin'], 'a name in another Unicode form is the same file', async () => {
  using workspace = new Workspace();
  mkdirSync(join(workspace.root, 'dir'));
  writeFileSync(join(workspace.root, 'dir', '\u00e9.txt'), 'content');
  const sandbox = workspace.open();
  expect(await textOf(sandbox, 'dir/e\u0301.txt')).toBe('content');
  expect(await textOf(sandbox, 'dir/\u00e9.txt')).toBe('content');
});

on(['linux'], 'a directory on another file system is searched and deleted', async () => {
  using workspace = new Workspace({ 'a.txt': 'x' });
  const sandbox = workspace.open({ directories: [workspace.root, '/dev/shm'] });
  const mounted = join('/dev/shm', `mcp-${process.pid}`);
  mkdirSync(mounted);
  try {
    expect(await problem(() => sandbox.move('a.txt', join(mounted, 'a.txt')))).toMatch(
      /^(nothing went wrong|The destination is on another file system; copy the source there, then delete the source: )/,
    );
    if (!existsSync(join(mounted, 'a.txt'))) await sandbox.copy('a.txt', join(mounted, 'a.txt'));
    expect((await sandbox.search(mounted, 'x')).matches).toBe(1);
    await sandbox.delete(mounted, { recursive: true });
    expect(existsSync(mounted)).toBe(false);
  } finally {
    if (existsSync(mounted)) await sandbox.delete(mounted, { recursive: true });
  }
});

test('a call that the file system cannot do has an error in words', async (context) => {
  context.skip(process.platform !== 'linux', 'Requires /proc');
  using workspace = new Workspace();
  // The kernel refuses to write text that is not a number with EINVAL.
  const sandbox = workspace.open({ directories: ['/proc/self'] });
  expect(await problem(() => sandbox.append('oom_score_adj', 'x'))).toBe(
    'Not possible for this file or file system: "oom_score_adj"',
  );
});
