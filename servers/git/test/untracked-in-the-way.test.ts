import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

/**
 * `other` adds a file, and a file in a directory, and turns a directory into a file; the stash adds the same.
 * All names but `plain` are ignored.
 */
const template = new WorkspaceTemplate(
  { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'new\ndir\nfile\n' },
  async (workspace) => {
    const { git } = workspace;
    await git.checkoutLocalBranch('other');
    const add = async () => {
      for (const path of ['plain', 'new', 'dir/f', 'file']) workspace.put(path, 'theirs\n');
      await git.raw(['add', '--force', '.']);
    };
    await add();
    await git.commit('theirs');
    await git.checkout('main');
    await add();
    await git.stash();
    await git.addConfig('remote.origin.url', '.');
    await git.addConfig('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  },
);

const calls: readonly [tool: string, args: object][] = [
  ['git_integrate', { action: 'merge', revision: 'other' }],
  ['git_integrate', { action: 'merge', revision: 'other', fast_forward: 'never' }],
  ['git_integrate', { action: 'merge', revision: 'other', squash: true }],
  ['git_integrate', { action: 'cherry-pick', revision: 'other' }],
  ['git_integrate', { action: 'rebase', revision: 'other' }],
  ['git_pull', { remote: 'origin', branch: 'other' }],
  ['git_checkout', { branch_name: 'other' }],
  ['git_create_branch', { branch_name: 'created', base_branch: 'other', checkout: true }],
  ['git_reset', { mode: 'keep', revision: 'other' }],
  ['git_reset', { mode: 'hard', revision: 'other' }],
  ['git_restore', { paths: ['.'], source: 'other' }],
  ['git_restore', { paths: ['plain', 'new', 'dir/f', 'file'], source: 'other' }],
  ['git_stash', { action: 'apply' }],
  ['git_stash', { action: 'pop' }],
];

const inTheWay = ['plain', 'new', 'dir', 'file/x', 'file/y/z'];

test.concurrent.each(withEach(calls, inTheWay))(
  '%s %j overwrites no untracked or ignored file %s unasked',
  async (tool, args, path) => {
    using workspace = await template.copy();
    await expectKept(workspace, path, tool, { ...args });
  },
);

const replaced: readonly [tool: string, args: object][] = [
  ['git_reset', { mode: 'hard' }],
  ['git_reset', { mode: 'hard', revision: 'HEAD' }],
  ['git_restore', { paths: ['.'] }],
  ['git_restore', { paths: ['b.txt', 'deep/c.txt'] }],
  ['git_stash', { action: 'save' }],
];

test.concurrent.each(withEach(replaced, ['b.txt/u', 'b.txt/new', 'deep']))(
  '%s %j removes nothing in place of a tracked file unasked: %s',
  async (tool, args, path) => {
    using workspace = await template.copy();
    await workspace.commit('a directory', { 'deep/c.txt': 'c\n' });
    rmSync(join(workspace.root, path.split('/')[0]!), { recursive: true });
    await expectKept(workspace, path, tool, { ...args });
  },
);

function withEach(calls: readonly [tool: string, args: object][], paths: readonly string[]) {
  return calls.flatMap(([tool, args]) => paths.map((path) => [tool, args, path] as const));
}

async function expectKept(workspace: Workspace, path: string, tool: string, args: Record<string, unknown>) {
  const file = join(workspace.root, path);
  mkdirSync(dirname(file), { recursive: true });
  workspace.put(path, 'mine\n');
  const asked: string[] = [];
  await using client = await workspace.connect({
    allowRemote: true,
    elicit: async ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    },
  });
  const answer = await workspace.callText(client, tool, args);
  expect([path, answer, readFileSync(file, 'utf8')]).toEqual([
    path,
    expect.stringMatching(/^ERROR /),
    'mine\n',
  ]);
  expect(asked.length > 0 ? asked.join('\n') : answer).toContain(path.split('/')[0]);
}

test.each<[tool: string, args: object]>([
  ['git_stash', { action: 'apply' }],
  ['git_stash', { action: 'pop' }],
  ['git_integrate', { action: 'merge', revision: 'other' }],
  ['git_integrate', { action: 'cherry-pick', revision: 'other' }],
  ['git_integrate', { action: 'revert', revision: 'other~1' }],
])('%s %j overwrites no ignored file that its commit only changes', async (tool, args) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'o.txt': 'one\n' });
  const { git } = workspace;
  await git.checkoutLocalBranch('other');
  for (const text of ['two\n', 'three\n']) {
    workspace.put('o.txt', text);
    await git.raw(['commit', '--quiet', '--all', '--message', text]);
  }
  workspace.put('o.txt', 'stashed\n');
  await git.stash();
  await git.checkout('main');
  await git.raw(['rm', '--quiet', 'o.txt']);
  await git.commit('without it');
  workspace.put('.git/info/exclude', 'o.txt\n');
  await expectKept(workspace, 'o.txt', tool, { ...args });
});

test('git_stash keeps untracked files in place of a tracked file, and pop names what is in their way', async () => {
  using workspace = await template.copy();
  rmSync(join(workspace.root, 'b.txt'));
  workspace.put('b.txt/u', 'mine\n');
  await using client = await workspace.connect();
  await client.callTool('git_stash', { action: 'save', include_untracked: true });
  expect(workspace.read('b.txt')).toBe('b\n');
  expect(await workspace.callText(client, 'git_stash', { action: 'pop' })).toBe(
    'ERROR Nothing was applied, because files exist at the paths of untracked files of the stash: "b.txt"; move them first',
  );
  rmSync(join(workspace.root, 'b.txt'));
  expect(await workspace.callText(client, 'git_stash', { action: 'pop' })).toMatch(
    /^Applied; main is at \w+; .*; the action "save" with commit/,
  );
  expect(workspace.read('b.txt/u')).toBe('mine\n');
});
