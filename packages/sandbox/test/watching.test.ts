import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problem, Workspace } from './workspace.ts';

describe('watch', () => {
  it('a watch is notified when a file is replaced', async () => {
    using workspace = new Workspace({ 'a.txt': 'a' });
    using sandbox = workspace.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = await sandbox.watch('a.txt', resolve);
    await sandbox.write('a.txt', 'changed');
    await promise;
    stop();
  });

  it('a watch of a missing file in a missing directory is notified of its creation', async () => {
    using workspace = new Workspace();
    using sandbox = workspace.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = await sandbox.watch('not/yet/there.txt', resolve);
    mkdirSync(join(workspace.base, 'not/yet'), { recursive: true });
    renameSync(join(workspace.base, 'not'), join(workspace.root, 'not'));
    workspace.put('not/yet/there.txt', 'there');
    await promise;
    stop();
  });

  it('a watch is notified when a link on its path changes its target', async () => {
    using workspace = new Workspace({ 'one/a.txt': '1', 'two/a.txt': '2' });
    using sandbox = workspace.open();
    const at = (name: string) => join(workspace.root, name);
    symlinkSync('one', at('now'));
    symlinkSync('now/a.txt', at('link'));
    const pending = ['now/a.txt', 'link', 'now/new.txt', 'now'].map(async (path) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = await sandbox.watch(path, resolve);
      return { promise, stop };
    });
    const watches = await Promise.all(pending);
    symlinkSync('two', at('next'));
    writeFileSync(at('two/new.txt'), '');
    renameSync(at('next'), at('now'));
    await Promise.all(watches.map(({ promise }) => promise));
    for (const { stop } of watches) stop();
  });

  it('a watch of a link that comes to lead outside is not notified of changes there', async () => {
    using workspace = new Workspace({ 'a.txt': '1', 'b.txt': '' });
    using sandbox = workspace.open();
    const at = (name: string) => join(workspace.root, name);
    symlinkSync('a.txt', at('link'));
    let count = 0;
    let next = Promise.withResolvers<void>();
    await sandbox.watch('link', () => {
      count++;
      next.resolve();
    });
    symlinkSync(join(workspace.outside, 'secret.txt'), at('out'));
    renameSync(at('out'), at('link'));
    await next.promise;
    const witness = Promise.withResolvers<void>();
    await sandbox.watch('b.txt', () => witness.resolve());
    const before = count;
    writeFileSync(join(workspace.outside, 'secret.txt'), 'ANOTHER');
    writeFileSync(at('b.txt'), 'b');
    await witness.promise;
    expect(count).toBe(before);
    next = Promise.withResolvers<void>();
    symlinkSync('a.txt', at('back'));
    renameSync(at('back'), at('link'));
    await next.promise;
  });

  it('a watch outside the allowed directories is refused, whether or not the path exists', async () => {
    using workspace = new Workspace();
    using sandbox = workspace.open();
    symlinkSync(workspace.outside, join(workspace.root, 'out'));
    for (const path of ['../outside/secret.txt', 'out/secret.txt', 'out/missing.txt', 'out']) {
      const outcome = `Outside the allowed directories: "${path}"`;
      expect(await problem(() => sandbox.watch(path, () => {}))).toBe(outcome);
    }
  });
});
