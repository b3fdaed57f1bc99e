import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problem, Workspace } from './workspace.ts';

describe('watching', () => {
  it('tells of changes to a file, also by replacing it', async () => {
    using workspace = new Workspace({ 'a.txt': 'a' });
    using sandbox = workspace.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = await sandbox.watch('a.txt', resolve);
    await sandbox.write('a.txt', 'changed');
    await promise;
    stop();
  });

  it('tells of a file that does not exist yet, though its directory does not either', async () => {
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

  it('is refused for what is outside, whether or not it exists', async () => {
    using workspace = new Workspace();
    using sandbox = workspace.open();
    symlinkSync(workspace.outside, join(workspace.root, 'out'));
    for (const path of ['../outside/secret.txt', 'out/secret.txt', 'out/missing.txt', 'out']) {
      const outcome = `Outside the allowed directories: "${path}"`;
      expect(await problem(() => sandbox.watch(path, () => {}))).toBe(outcome);
    }
  });
});
