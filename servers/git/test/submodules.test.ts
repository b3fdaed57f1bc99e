import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { clear, halvesOfWalk, prepared } from './tool-walk.ts';

// They clone repositories.
vi.setConfig({ testTimeout: 120_000 });

/** The same call, on another branch than `other`. */
function swapped(args: Record<string, unknown>, branch: string): Record<string, unknown> {
  const swap = ([key, value]: [string, unknown]) => [key, value === 'other' ? branch : value];
  return Object.fromEntries(Object.entries(args).map((entry) => swap(entry)));
}

const [, branchCalls = []] = halvesOfWalk;

test.each([
  ...halvesOfWalk.map((calls) => ({ branch: 'other', calls })),
  // The first half names no branch that is read.
  { branch: 'topic-2', calls: branchCalls },
])('git does not run in a submodule that has a filter: $calls.length calls, $branch', async (each) => {
  using workspace = await prepared();
  const program = workspace.program();
  const inner = join(workspace.allowed, 'inner');
  mkdirSync(inner);
  await workspace.gitAt(inner).init();
  writeFileSync(join(inner, '.gitattributes'), '* filter=x\n');
  writeFileSync(join(inner, 'i.txt'), 'i\n');
  await workspace.gitAt(inner).add('--all');
  await workspace.gitAt(inner).commit('inner');
  await workspace.git.raw(['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub']);
  // It asks to be looked into.
  await workspace.git.raw(['config', '-f', '.gitmodules', 'submodule.sub.ignore', 'none']);
  await workspace.commit('sub');
  // Another branch asks under another name, which is not there yet while the first is looked at.
  await workspace.git.checkoutLocalBranch('topic-2');
  workspace.put('.gitmodules', '[submodule "new"]\n\tpath = sub\n\turl = /nowhere\n\tignore = none\n');
  await workspace.commit('renamed');
  await workspace.git.checkout('main');
  await workspace.gitAt(join(workspace.root, 'sub')).addConfig('filter.x.clean', program);
  await workspace.gitAt(join(workspace.root, 'sub')).addConfig('core.fsmonitor', program);
  workspace.put('sub/i.txt', 'changed\n');
  clear(workspace);
  await using client = await workspace.connect({ directories: [workspace.allowed], history: true });
  const ran: string[] = [];
  for (const [tool, given] of each.calls) {
    const args = swapped(given, each.branch);
    await client.callTool(tool, { ...args, repo_path: workspace.root });
    if (workspace.executed.length > 0) ran.push(`${tool} ${JSON.stringify(args)}`);
    clear(workspace);
  }
  expect(ran).toEqual([]);
});

test.each(['the work tree', 'the index', 'HEAD'])(
  'git does not run in a submodule for which .gitmodules of %s sets ignore to none',
  async (place) => {
    using workspace = await prepared();
    const program = workspace.program();
    const inner = await workspace.foreign('inner');
    await workspace.git.raw(['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub']);
    await workspace.git.raw(['config', '-f', '.gitmodules', 'submodule.sub.ignore', 'none']);
    // Git reads the first of these that it finds.
    if (place === 'the work tree') await workspace.git.reset(['HEAD', '--', '.gitmodules']);
    else await workspace.commit('asks');
    if (place === 'HEAD') await workspace.git.rmKeepLocal('.gitmodules');
    if (place !== 'the work tree') rmSync(join(workspace.root, '.gitmodules'), { force: true });
    writeFileSync(join(workspace.root, '.git/modules/sub/info/attributes'), '* filter=x\n');
    await workspace.gitAt(join(workspace.root, 'sub')).addConfig('filter.x.clean', program);
    await workspace.gitAt(join(workspace.root, 'sub')).addConfig('core.fsmonitor', program);
    workspace.put('sub/secret.txt', 'changed\n');
    clear(workspace);
    await workspace.git.raw(['status']);
    expect(workspace.executed, 'plain git looks into it').not.toEqual([]);
    clear(workspace);
    await using client = await workspace.connect();
    for (const [tool, args] of [
      ['git_status', {}],
      ['git_diff_unstaged', {}],
      ['git_diff', { target: 'HEAD' }],
      ['git_commit', { message: 'm', allow_empty: true }],
      ['git_stash', { action: 'save' }],
      ['git_checkout', { branch_name: 'topic' }],
    ] as const) {
      await client.callTool(tool, args);
      expect(workspace.executed, tool).toEqual([]);
    }
  },
);
