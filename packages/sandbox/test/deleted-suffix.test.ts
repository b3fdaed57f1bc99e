import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Helper } from './helper.ts';
import { Workspace } from './workspace.ts';

// The kernel appends " (deleted)" to the path of a deleted directory, which is also a possible name.
it('nothing is written to a directory named like the deleted allowed directory', async () => {
  using workspace = new Workspace({ 'a.txt': 'escaped' });
  const imitation = `${workspace.root} (deleted)`;
  mkdirSync(imitation);
  mkdirSync(join(workspace.base, 'other'));
  symlinkSync(imitation, join(workspace.root, 'link'));
  const sandbox = workspace.open();
  await using swapper = new Helper(`
    const [imitation, other] = ${JSON.stringify([imitation, join(workspace.base, 'other')])};
    console.log('swapping');
    for (;;) { fs.renameSync(imitation, other + '2'); fs.renameSync(other + '2', imitation); }`);
  await swapper.line();
  for (let round = 0; round < 3000; round++) await sandbox.copy('a.txt', `link/${round}.txt`).catch(() => {});
  await swapper.kill();
  const names = readdirSync(workspace.base).filter(
    (name) => name.startsWith('root (deleted)') || name === 'other2',
  );
  expect(names.flatMap((name) => readdirSync(join(workspace.base, name)))).toEqual([]);
});
