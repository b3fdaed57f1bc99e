import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test('git_worktree adds, lists and removes a work tree', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  const worktree = (args: object) =>
    workspace.callText(client, 'git_worktree', { repo_path: workspace.root, ...args });
  const commit = await workspace.git.revparse(['--short=10', 'HEAD']);
  expect(await worktree({ action: 'add', path: '../tree', branch: 'topic' })).toBe(
    `Added "../tree"\n/allowed/repo ${commit} main\n/allowed/tree ${commit} topic\n2 work trees`,
  );
  expect(await workspace.callText(client, 'git_status', { repo_path: '../tree' })).toContain('On topic');
  await workspace.gitAt(`${workspace.allowed}/tree`).rm('a.txt');
  expect(await worktree({ action: 'remove', path: '../tree' })).toBe(
    'ERROR The work tree has changes that would be lost; force removes it anyway',
  );
  expect(await worktree({ action: 'remove', path: '../tree', force: true })).toMatch(
    new RegExp(
      `^Removed; to undo: git_worktree with action "add", path "../tree" and revision "topic", then git_stash with action "apply", commit \\w+ and repo_path "../tree"\n/allowed/repo ${commit} main\n1 work tree$`,
    ),
  );
});

test('git_worktree removes only unlocked linked work trees of the repository', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
  const { root, allowed } = workspace;
  const tree = join(allowed, 'tree');
  await workspace.gitAt(allowed).clone(root, 'other');
  await workspace.gitAt(join(allowed, 'other')).raw(['worktree', 'add', '-q', join(allowed, 'of-other')]);
  await workspace.git.raw(['worktree', 'add', '-q', tree]);
  await workspace.git.raw(['worktree', 'lock', tree]);
  await using client = await workspace.connect({ directories: [root, allowed] });
  for (const force of [false, true]) {
    const remove = (path: string) =>
      workspace.callText(client, 'git_worktree', { repo_path: root, action: 'remove', path, force });
    for (const path of [root, join(root, 'sub'), join(allowed, 'other'), join(allowed, 'of-other')]) {
      expect(await remove(path), path).toMatch(/^ERROR Not a linked work tree: /);
      expect(existsSync(path)).toBe(true);
    }
    expect(await remove(tree)).toBe('ERROR The work tree is locked: "/allowed/tree"');
    expect(existsSync(join(tree, 'a.txt'))).toBe(true);
  }
});

test('git_worktree creates no branch if it cannot add the work tree', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  const before = await workspace.state();
  const add = (args: object) =>
    workspace.callText(client, 'git_worktree', { repo_path: workspace.root, action: 'add', ...args });
  expect(await add({ path: '../tree', revision: 'main' })).toBe(
    'ERROR The branch "main" is checked out in the work tree "/allowed/repo"',
  );
  expect(await add({ path: '../tree', branch: 'main' })).toBe('ERROR The branch already exists: "main"');
  expect(await add({ path: '../tree', branch: 'x', revision: 'nowhere' })).toBe(
    'ERROR No such revision: "nowhere"',
  );
  expect(await add({})).toBe('ERROR Missing path of the work tree to add');
  expect(await workspace.state()).toBe(before);
});

test('git_worktree removes a work tree whose directory is gone', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const tree = join(workspace.allowed, 'tree');
  await workspace.git.raw(['worktree', 'add', '-q', tree, '-b', 'topic']);
  rmSync(tree, { recursive: true });
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  const remove = (path: string) =>
    workspace.callText(client, 'git_worktree', { repo_path: workspace.root, action: 'remove', path });
  expect(await remove(join(workspace.allowed, 'never'))).toMatch(/^ERROR Not a linked work tree: /);
  expect(await remove(tree)).toMatch(/^Removed\n\/allowed\/repo [0-9a-f]{10} main\n1 work tree$/);
  expect(await workspace.output(['worktree', 'list', '--porcelain'])).not.toContain('topic');
});

test('git_worktree unlocks a work tree, and prunes those whose directory is gone', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const tree = join(workspace.allowed, 'tree');
  await workspace.git.raw(['worktree', 'add', '-q', '--lock', tree, '-b', 'topic']);
  rmSync(tree, { recursive: true });
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  const worktree = (args: object) =>
    workspace.callText(client, 'git_worktree', { repo_path: workspace.root, ...args });
  expect(await worktree({ action: 'prune' })).toMatch(
    /^Pruned 0 work trees whose directory is missing\n[^]*topic/,
  );
  expect(await worktree({ action: 'unlock', path: workspace.outside })).toMatch(/^ERROR Outside /);
  expect(await worktree({ action: 'unlock', path: workspace.root })).toMatch(/^ERROR Not a linked work tree/);
  expect(await worktree({ action: 'unlock', path: tree })).toMatch(/^Unlocked "\/allowed\/tree"\n[^]*topic/);
  expect(await worktree({ action: 'unlock', path: tree })).toMatch(/^ERROR The work tree is not locked/);
  expect(await worktree({ action: 'prune' })).toMatch(
    /^Pruned 1 work tree whose directory is missing\n\/allowed\/repo [0-9a-f]{10} main\n1 work tree$/,
  );
});

test.each(['worktree', 'reset'])(
  'git_worktree leaves no work tree and no branch when it is cancelled after git %s',
  async (command) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const before = await workspace.state();
    const hang = `if [ "$1" = ${command} ] && [ ! -e '${workspace.marks}/started' ]; then
  "$git" "$@"
  touch '${workspace.marks}/started'
  while :; do sleep 0.05; done
fi`;
    const environment = { PATH: workspace.wrapGit(hang) };
    await using client = await workspace.connect({
      directories: [workspace.root, workspace.allowed],
      environment,
    });
    const path = join(workspace.allowed, 'tree');
    const stop = new AbortController();
    const started = workspace.started();
    const args = { repo_path: workspace.root, action: 'add', path, branch: 'topic' };
    const call = client.callTool('git_worktree', args, { signal: stop.signal });
    await started;
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    // This call waits for the lock that the cancelled call holds until it has removed the work tree.
    await client.callTool('git_integrate', { repo_path: workspace.root, action: 'continue' });
    expect(existsSync(path)).toBe(false);
    expect(await workspace.state()).toBe(before);
    expect(await workspace.output(['worktree', 'list', '--porcelain'])).not.toContain(path);
  },
);
