import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Workspace } from './workspace.ts';

// They wait until a git that stalls is stopped.
vi.setConfig({ testTimeout: 120_000 });

test.concurrent.each([
  { path: 'sub/.gitignore', tool: 'git_status' },
  { path: 'sub/deep/.gitattributes', tool: 'git_diff_unstaged' },
  { path: 'new/.gitignore', tool: 'git_status' },
  { path: '.mailmap', tool: 'git_blame', input: { path: 'a.txt' } },
  { path: '.git/refs/heads/other', tool: 'git_branch' },
  { path: 'sub/.gitignore', tool: 'git_add', input: { files: ['sub/deep/b.txt'] } },
])(
  'a FIFO in place of $path ends $tool within seconds, and the error names it',
  async ({ path, tool, input }) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n', 'sub/deep/b.txt': 'b\n' });
    workspace.put('sub/deep/b.txt', 'changed\n');
    workspace.put('new/c.txt', 'c\n');
    await using client = await workspace.connect();
    await client.callTool('git_status');
    const file = join(workspace.root, path);
    mkdirSync(dirname(file), { recursive: true });
    execFileSync('mkfifo', [file]);
    const error = `ERROR Stopped: git waits for "${path}" of the repository, which is not a regular file; remove it`;
    expect(await workspace.callText(client, tool, input)).toBe(error);
    expect(workspace.processes).toEqual([]);
    rmSync(file);
    expect(await workspace.callText(client, tool, input)).not.toContain('ERROR');
  },
);

test.concurrent('a FIFO that the configuration includes ends a call within seconds', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  execFileSync('mkfifo', [join(workspace.root, 'settings')]);
  appendFileSync(join(workspace.root, '.git/config'), '[include]\n\tpath = ../settings\n');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_status')).toBe(
    'ERROR Stopped: git waits for "settings" of the repository, which is not a regular file; remove it',
  );
});

test.concurrent('a git that takes long is not stopped for other FIFOs', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
  const path = workspace.wrapGit('case "$1" in status) sleep 5;; esac');
  await using client = await workspace.connect({ environment: { PATH: path } });
  expect(await workspace.callText(client, 'git_status')).toContain('On main');
});
