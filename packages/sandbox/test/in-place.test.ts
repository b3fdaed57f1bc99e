import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcome } from './helper.ts';
import { Workspace } from './workspace.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

test('a writable file in a directory that is not writable is overwritten in place', async (context) => {
  context.skip(!isRoot, 'Changing the user requires root');
  using workspace = new Workspace({ 'dir/a.txt': 'a longer old content' });
  workspace.letOthersRead();
  const file = join(workspace.root, 'dir/a.txt');
  chownSync(file, 12345, 12345);
  const { ino } = statSync(file);
  const result = await outcome(
    `
    const { Sandbox } = await import(source + 'sandbox.ts');
    const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
    const { inPlace } = await sandbox.write('dir/a.txt', 'new');
    const edited = await sandbox.edit('dir/a.txt', [{ oldText: 'new', newText: 'newer' }]);
    console.log(JSON.stringify([inPlace, edited.inPlace.items[0]?.reason, edited.written]));`,
    { uid: 12345 },
  );
  expect(result).toEqual(['directory', 'directory', true]);
  expect(readFileSync(file, 'utf8')).toBe('newer');
  expect(statSync(file).ino).toBe(ino);
  expect(readdirSync(join(workspace.root, 'dir'))).toEqual(['a.txt']);
});

test('hard links, some of which cannot be replaced, are edited by one call', async (context) => {
  context.skip(!isRoot, 'Changing the user requires root');
  for (const [one, mode] of [
    ['dir/b', 0o1777],
    ['a/b', 0o755],
  ] as const) {
    using workspace = new Workspace({ 'dir/a': 'old', [one]: 'old' });
    workspace.letOthersRead();
    const at = (path: string) => join(workspace.root, path);
    rmSync(at(one));
    linkSync(at('dir/a'), at(one));
    chmodSync(at('dir/a'), 0o666);
    chmodSync(at('dir'), mode);
    if (one === 'a/b') chownSync(at('a'), 12345, 12345);
    const result = await outcome(
      `
      const { Sandbox } = await import(source + 'sandbox.ts');
      const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
      const { inPlace } = await sandbox.edit(['${one}', 'dir/a'], [{ oldText: 'old', newText: 'new' }]);
      console.log(JSON.stringify(inPlace.items.map(({ path }) => path)));`,
      { uid: 12345 },
    );
    expect(result).toEqual([one, 'dir/a'].sort());
    expect([workspace.read(one), workspace.read('dir/a')]).toEqual(['new', 'new']);
    expect(readdirSync(at('dir'))).toEqual(one === 'a/b' ? ['a'] : ['a', 'b']);
    expect(statSync(at('dir/a')).nlink).toBe(2);
  }
});

test('a file that is a mount point is overwritten in place', async (context) => {
  context.skip(!isRoot || !canMount(), 'Mounting requires root and unshare');
  using workspace = new Workspace({ 'a.txt': 'under the mount', 'source.txt': 'old' });
  const result = await outcome(
    `
    const { Sandbox } = await import(source + 'sandbox.ts');
    const { execFileSync } = await import('node:child_process');
    const root = ${JSON.stringify(workspace.root)};
    execFileSync('mount', ['--bind', root + '/source.txt', root + '/a.txt']);
    const sandbox = Sandbox.open({ directories: [root] });
    const { inPlace } = await sandbox.write('a.txt', 'new');
    console.log(JSON.stringify([inPlace, fs.readFileSync(root + '/source.txt', 'utf8')]));`,
    { through: ['unshare', '--mount'] },
  );
  expect(result).toEqual(['directory', 'new']);
  expect(readdirSync(workspace.root).sort()).toEqual(['a.txt', 'source.txt']);
});

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
