import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcome } from './helper.ts';
import { Workspace } from './workspace.ts';

/** Mounts a FUSE file system that never answers a request. */
async function mountUnresponsive(at: string): Promise<AsyncDisposable> {
  mkdirSync(at);
  const mounting = `exec 3<>/dev/fuse && mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 silence "$0" &&
    echo mounted && exec cat`;
  const holder = spawn('sh', ['-c', mounting, at], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      const exited = once(holder, 'exit');
      holder.kill('SIGKILL');
      await exited;
      execFileSync('umount', ['-l', at]);
    },
  };
}

function canMount(): boolean {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

test('a name with a line separator can be read next to a mounted file system', async (context) => {
  context.skip(!canMount(), 'Mounting a file system requires root and /dev/fuse');
  const names = ['a\u2028b', 'a\u2029b', 'a\nb', 'a\rb', 'a\x85b'];
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, name])));
  await using _ = await mountUnresponsive(join(workspace.root, 'cloud'));
  const read = await outcome(`
    const { Sandbox } = await import(source + 'sandbox.ts');
    const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}], networkTimeoutMs: 60_000 });
    const texts = [];
    for (const name of ${JSON.stringify(names)})
      texts.push(await sandbox.readText(name).then(({ text }) => text, ({ message }) => message));
    console.log(JSON.stringify(texts.map(encodeURIComponent)));
    process.exit();`);
  expect(read).toEqual(names.map(encodeURIComponent));
});

test('operations on a file system that does not respond time out, and others proceed', async (context) => {
  context.skip(!canMount(), 'Mounting a file system requires root and /dev/fuse');
  using workspace = new Workspace({ 'a.txt': 'hello', 'sub/b.txt': 'hello' });
  symlinkSync('cloud/x.txt', join(workspace.root, 'link'));
  await using _ = await mountUnresponsive(join(workspace.root, 'cloud'));
  const result = await outcome(`
    const { Sandbox } = await import(source + 'sandbox.ts');
    const directories = [${JSON.stringify(workspace.root)}];
    const problem = (work) => work.then(() => 'fine', (error) => error.message);
    // Long enough to write a file on a loaded machine.
    const withLongTimeout = Sandbox.open({ directories, networkTimeoutMs: 60_000 });
    let ended = 0;
    for (const path of ['link', 'cloud/x.txt']) void problem(withLongTimeout.readText(path)).then(() => ended++);
    const near = await problem(withLongTimeout.write('new.txt', 'x'));
    const waiting = 2 - ended;
    const sandbox = Sandbox.open({ directories, networkTimeoutMs: 2000 });
    const problems = await Promise.all(['link', 'cloud/x.txt'].map((path) => problem(sandbox.readText(path))));
    for (const work of [
      () => sandbox.list('cloud'),
      () => sandbox.info('cloud/x.txt'),
      () => sandbox.write('cloud/new.txt', 'x'),
      () => sandbox.edit('cloud/x.txt', [{ oldText: 'a', newText: 'b' }]),
      () => sandbox.move('a.txt', 'cloud/a.txt'),
      () => sandbox.watch('cloud/x.txt', () => {}),
      () => sandbox.delete('cloud', { recursive: true }),
    ]) problems.push(await problem(work()));
    const found = await sandbox.find('.', '**');
    const { files, unreadable } = await sandbox.search('.', 'hello');
    const { root } = await sandbox.tree('.');
    console.log(JSON.stringify({
      near,
      waiting,
      problems,
      found: found.matches.map(({ path }) => path),
      searched: files.map(({ path }) => path),
      unreadable: unreadable.items,
      cut: root.children.filter(({ cut }) => cut).map(({ name, cut }) => [name, cut]),
      completed: await sandbox.complete('cl'),
    }));
    process.exit();
    `);
  const silent = (path: string) => `The file system does not respond; try again later: "${path}"`;
  expect(result).toEqual({
    near: 'fine',
    waiting: 2,
    problems: [
      silent('link'),
      silent('cloud/x.txt'),
      silent('cloud'),
      silent('cloud/x.txt'),
      silent('cloud/new.txt'),
      silent('cloud/x.txt'),
      silent('cloud/a.txt'),
      silent('cloud/x.txt'),
      silent('cloud'),
    ],
    found: ['a.txt', 'cloud', 'link', 'new.txt', 'sub', 'sub/b.txt'],
    searched: ['a.txt', 'sub/b.txt'],
    unreadable: [{ path: 'cloud', reason: silent(join(workspace.root, 'cloud')) }],
    cut: [['cloud', 'unreadable']],
    completed: ['cloud/'],
  });
});
