import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test.each([
  '.git/HEAD',
  '.git/index',
  '.git/config',
  '.git/packed-refs',
  '.gitmodules',
  '.gitignore',
  '.gitattributes',
  '.git/info/exclude',
])('a FIFO in place of %s is refused at once', async (path) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const file = join(workspace.root, path);
  const fifo = () => {
    rmSync(file, { force: true });
    mkdirSync(join(file, '..'), { recursive: true });
    execFileSync('mkfifo', [file]);
  };
  // Before the server has seen the repository, and after.
  await using early = await workspace.connect({ timeouts: { readMs: 15_000 } });
  await early.callTool('git_status', {});
  fifo();
  await using late = await workspace.connect({ timeouts: { readMs: 15_000 } });
  for (const client of [early, late])
    expect(await workspace.callText(client, 'git_status')).toBe(
      `ERROR Not a regular file: "${path.replace('.git/', '')}" of the repository`,
    );
});
